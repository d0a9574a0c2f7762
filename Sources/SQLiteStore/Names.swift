import TableProtocol

/// In this room a record is a row of the protocol, not the class of that name in the SQLite library.
typealias Record = TableProtocol.Record
