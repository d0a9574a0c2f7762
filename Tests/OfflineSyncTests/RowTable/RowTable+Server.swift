extension RowTable {
  static let sending = """
    M1 | S0-S2 | | - nothing has to be sent
    M1 | S3 | | S7
    M1 | S4 | | S8
    M1 | S5 | | S9
    M1 | S6 | | S10
    M1 | S21-S24 | | S25
    M1 | S7-S17 S25 | | stays
    M1 | S18-S20 S26 | | - a person decides first
    M2 | S2 | | S0
    M2 | S0 S1 S3-S26 | | stays
    M3 | S7-S17 S25 | | stays
    M3 | S0-S6 S18-S24 S26 | | - no mark was committed

    M4 A1-A17 | S0-S6 S18-S24 S26 | | - nothing is under way
    M4 | S7-S17 | sent before | stays
    M4 | S7 S11 | | S3
    M4 | S8 | | S4
    M4 | S9 | | S5
    M4 | S10 S16 | | S6
    M4 | S12 | | S0
    M4 | S13 S15 | put back | S1
    M4 | S13 S15 | | S4
    M4 | S14 | | S5
    M4 | S17 | | S2
    M4 | S25 | sent before | stays
    M4 | S25 | insert | S21
    M4 | S25 | update | S22
    M4 | S25 | delete | S23
    M4 | S25 | revival | S24

    """

  static let answers = """
    A1 | S7 S8 S10 | | S1
    A1 | S9 | | S2
    A1 | S11 S13 S16 | | S4 !
    A1 | S12 S14 S17 | | S5 !
    A1 | S15 | | S6 !

    A2 | S7 S8 S10 | | S1
    A2 | S9 | | S2
    A2 | S11 S13 S16 | holds mine and more | S1
    A2 | S11 S13 S16 | fits | S4 !
    A2 | S11 S13 S16 | | S18
    A2 | S12 S14 S17 | | S5 !
    A2 | S15 | | S6 !

    A3 | S9 S15 | | - a delete is answered with a tombstone: this is A1
    A3 | S7 S8 S10-S14 S16 S17 | | like A9

    A4 | S9 S15 | | - a delete may be answered without an item: this is A1
    A4 | S7 S8 S10-S14 S16 S17 | untouched | like A12
    A4 | S7 S8 S10-S14 S16 S17 | unreadable | stays
    A4 | S7 S8 S10-S14 S16 S17 | touched | like A5 A6 A7 A8 A9
    A14 | S7-S17 | untouched | like A12
    A14 | S7-S17 | unreadable | stays
    A14 | S7-S17 | touched | like A5 A6 A7 A8 A9

    A5 | S9 S15 | | - a delete has no columns: a live item is A6, A7 or A8
    A5 | S7 S8 S10 | | S1
    A5 | S11 S13 S16 | | S4 !
    A5 | S12 S14 S17 | | S5 !

    A6 | S7 S11 | sent before | S4 !
    A6 | S7 S11 | | S18
    A6 | S12 | sent before | S5 !
    A6 | S12 | | S20
    A6 | S8 S13 | put back | S1
    A6 | S8 S13 | | S4 !
    A6 | S9 S14 | | S5 !
    A6 | S15 | put back | S1
    A6 | S15 | | S4 !
    A6 | S10 S16 | sent before | S4 !
    A6 | S10 S16 | tombstone's version known | S18
    A6 | S10 S16 | | S4 !
    A6 | S17 | sent before | S5 !
    A6 | S17 | tombstone's version known | S20
    A6 | S17 | | S5 !

    A7 | S7 | sent before | S1
    A7 | S7 | | S18
    A7 | S11 | sent before, holds mine and more | S1
    A7 | S11 | sent before | S4 !
    A7 | S11 | | S18
    A7 | S13 | sent before, put back, columns sent | S4 !
    A7 | S8 S13 S15 | put back | S1
    A7 | S8 S13 S15 | holds mine and more | S1
    A7 | S8 S13 S15 | | S4 !
    A7 | S9 S12 S14 S17 | | S20
    A7 | S10 S16 | | S18

    A8 | S7 | sent before, edited before it was sent | S18
    A8 | S7 | sent before | S1
    A8 | S7 S8 S10 S11 S13 S15 S16 | | S18
    A8 | S9 S12 S14 S17 | | S20

    A9 | S9 S12 S14 S17 | | S2
    A9 | S15 | | S6 !
    A9 | S13 | sent before, put back | S19
    A9 | S8 S13 | put back | S2
    A9 | S8 S13 | | S19
    A9 | S7 | sent before, edited before it was sent, other words | S19
    A9 | S7 | sent before | S2
    A9 | S7 | other words | S19
    A9 | S7 | | S2
    A9 | S11 | sent before | S19
    A9 | S11 | other words | S19
    A9 | S11 | | S2
    A9 | S10 S16 | tombstone it started from | S6 !
    A9 | S10 S16 | sent before, tombstone's version known | S19
    A9 | S10 S16 | | S6 !

    A10 | S7-S17 | unreadable | stays
    A10 | S7 S11 S12 | absent, the second time | like A12
    A10 | S7 S11 | absent | S3 !
    A10 | S12 | absent | S2
    A10 | S8-S10 S13-S17 | absent | like A11
    A10 | S7-S17 | touched | like A5 A6 A7 A8 A9

    A11 | S7 S11 S12 | | like M4
    A11 | S8-S10 S13-S17 | unreadable | stays
    A11 | S8-S10 S13-S17 | touched | like A5 A6 A7 A8 A9
    A11 | S13 | sent before, put back | S19
    A11 | S8 S13 | put back | S2
    A11 | S8 S13 | | S19
    A11 | S9 S14 S17 | | S2
    A11 | S10 S15 S16 | | S6 !

    A12 | S7-S17 S25 | sent before, unreadable | stays
    A12 | S7-S17 S25 | sent before, touched | like A5 A6 A7 A8 A9
    A12 | S7 | | S21
    A12 | S8 | | S22
    A12 | S9 | | S23
    A12 | S10 | | S24
    A12 | S25 | insert | S21
    A12 | S25 | update | S22
    A12 | S25 | delete | S23
    A12 | S25 | revival | S24
    A12 | S11 | | S3 !
    A12 | S12 | | S0
    A12 | S13 S15 | put back | S1
    A12 | S13 S15 | | S4 !
    A12 | S14 | | S5 !
    A12 | S16 | | S6 !
    A12 | S17 | | S2
    A13 | S7-S17 S25 | | like A12
    A15 A16 | S7-S17 | | stays

    A17 | S7 S10-S12 S16 S17 | | - no live copy is known of the row
    A17 | S8 S9 S13-S15 | base's columns | like A6
    A17 | S8 S13 S15 | | S18
    A17 | S9 S14 | | S20

    """

  static let pages = """
    P1 | S0 S3 S11 S12 S21 | | - no server was asked about the row before
    P1 | S7 | | - no server was asked about the row before
    P1 | S1 S2 S4-S6 S8-S10 S13-S20 S22-S26 | | stays

    P2 | S0-S2 | | S1
    P2 | S3 S21 | equal | S1
    P2 | S3 S21 | | S18
    P2 | S4 S22 | equal | S1
    P2 | S4 S22 | holds mine and more | S1
    P2 | S4 S22 | clashes | S18
    P2 | S4 S22 | | S4
    P2 | S5 S23 | base's columns | S5
    P2 | S5 S23 | | S20
    P2 | S6 S24 | equal | S1
    P2 | S6 S24 | base's columns, tombstone's version known | S18
    P2 | S6 S24 | base's columns | S4
    P2 | S6 S24 | | S18
    P2 | S7-S17 | | like A5 A6 A7 A8
    P2 | S18-S20 | lost copy, base's columns | stays
    P2 | S18 | equal | S1
    P2 | S18 | base's columns, tombstone's version known | S18
    P2 | S18 | base's columns | S4
    P2 | S18 | clashes | S18
    P2 | S18 | no ancestor | S18
    P2 | S18 | holds mine and more | S1
    P2 | S18 | | S4
    P2 | S19 | equal | S1
    P2 | S19 | base's columns | S4
    P2 | S19 | clashes | S18
    P2 | S19 | no ancestor | S18
    P2 | S19 | holds mine and more | S1
    P2 | S19 | | S4
    P2 | S20 | base's columns, tombstone's version known | S20
    P2 | S20 | base's columns | S5
    P2 | S20 | | S20
    P2 | S26 | deleted here, base's columns | S26
    P2 | S26 | deleted here | S20
    P2 | S26 | equal | S1
    P2 | S26 | no ancestor | S18
    P2 | S26 | holds mine and more | S1
    P2 | S26 | clashes | S18
    P2 | S26 | | S26

    P3 | S0 S3 S7 S11 S12 S21 | | - nothing newer is known of the row
    P3 | S4-S6 S8-S10 S13-S17 S22-S26 | | stays
    P3 | S1 S2 S18-S20 | server in order | stays
    P3 | S18 S19 | equal | stays
    P3 | S1 S2 S18-S20 | | like P2 P4

    P4 | S0 S2 | | stays
    P4 | S1 | | S2
    P4 | S3 S21 | other words | S19
    P4 | S3 S21 | | S2
    P4 | S4 S22 | | S19
    P4 | S5 S23 | | S2
    P4 | S6 S24 | | S6
    P4 | S7-S17 | | like A9
    P4 | S18-S20 | lost copy, nothing known | stays
    P4 | S18 S19 | | S19
    P4 | S20 | | S2
    P4 | S26 | deleted here | S2
    P4 | S26 | nothing known | S26
    P4 | S26 | | S19

    P5 | S0 S2 S3 S21 | | stays
    P5 | S1 | | S2
    P5 | S4 S22 | | S19
    P5 | S5 S23 | | S2
    P5 | S6 S7 S10-S12 S16 S17 S24 | | stays
    P5 | S8 S13 | | S19
    P5 | S9 S14 | | S2
    P5 | S15 | | S6
    P5 | S18-S20 | lost copy | stays
    P5 | S18 S19 | | S19
    P5 | S20 | | S2
    P5 | S26 | deleted here | S2
    P5 | S26 | | S26

    """

  static let list = """
    W1 | S0-S2 | | S0
    W1 | S3-S26 | forced | S0
    W1 | S3-S26 | | stays
    W2 | S0-S26 | | stays
    W3 | S0-S26 | live here | S6
    W3 | S0-S26 | | S0

    W4 | S0 S3 S7 S11 S12 S21 | absent | stays
    W4 | S0 S3 S7 S11 S12 S21 | | like P2
    W4 | S1 S2 S4-S6 S8-S10 S13-S20 S22-S24 S26 | not forgotten | like P2 P4 P5
    W4 | S1 | equal | S1
    W4 | S1 | written after | S18
    W4 | S1 | | S26
    W4 | S2 | absent | S2
    W4 | S2 | written after | S20
    W4 | S2 | | S26
    W4 | S4 S22 | equal | S1
    W4 | S4 S22 | has what was acknowledged | S4
    W4 | S4 S22 | written after | S18
    W4 | S4 S22 | | S26
    W4 | S5 S23 | absent | S2
    W4 | S5 S23 | written after | S20
    W4 | S5 S23 | | S5
    W4 | S6 S24 | absent | stays
    W4 | S6 S24 | | like P2
    W4 | S8 | equal | S1
    W4 | S13 | columns sent | S4
    W4 | S15 | absent | S6
    W4 | S13 S15 | equal | S1
    W4 | S8 S13 S15 | has what was acknowledged | S4
    W4 | S8 S13 S15 | written after | S18
    W4 | S8 S13 S15 | | S26
    W4 | S9 S14 | absent | S2
    W4 | S9 S14 | written after | S20
    W4 | S9 S14 | | S5
    W4 | S10 S16 S17 | absent | stays
    W4 | S16 | equal | S1
    W4 | S10 S16 S17 | | like A5 A6 A7 A8
    W4 | S18 S19 | written after | S18
    W4 | S18 | | S18
    W4 | S19 | | S19
    W4 | S20 | | S20
    W4 | S25 | insert, absent | stays
    W4 | S25 | insert | like P2
    W4 | S25 | not forgotten | like P2 P4 P5
    W4 | S25 | update, equal | S1
    W4 | S25 | update, has what was acknowledged | S4
    W4 | S25 | update, written after | S18
    W4 | S25 | update | S26
    W4 | S25 | delete, absent | S2
    W4 | S25 | delete, written after | S20
    W4 | S25 | delete | S5
    W4 | S25 | revival, absent | stays
    W4 | S25 | revival | like A5 A6 A7 A8
    W4 | S26 | equal | S1
    W4 | S26 | deleted here, absent | S2
    W4 | S26 | deleted here, written after | S20
    W4 | S26 | | S26

    W7 | S1 | | S6
    W7 | S0 S2-S26 | | - only a row at rest is taken away without a question
    W5 W6 | S0-S25 | | - no question about a restored server is open
    W5 | S26 | deleted here | S5
    W5 | S26 | nothing known | S6
    W5 | S26 | | S4
    W6 | S26 | deleted here | S1
    W6 | S26 | after edited, nothing known | S19
    W6 | S26 | nothing known | S2
    W6 | S26 | after edited, clashes | S18
    W6 | S26 | after edited | S4
    W6 | S26 | | S1
    """
}
