import ArgumentParser
import Configuration
import TableServer
import TableClient
import SQLiteStore
print("stub")
