import TableProtocol

/// GRDB has a `Record` too; in this room it is always the one of the wire.
typealias Record = TableProtocol.Record
