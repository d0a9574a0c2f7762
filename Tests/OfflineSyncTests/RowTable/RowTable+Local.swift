extension RowTable {
  static let cells = local + decisions + sending + answers + pages + list

  static let local = """
    L1 | S0 | | S3
    L1 | S1-S26 | | - a new id is made by this device, and no other row has it

    L2 L3 L4 L5 L6 L8 | S0 S2 S5 S9 S12 S14 S17 S20 S23 | | - the row is not in the list
    L2 | S1 S4 S22 | | S4
    L2 | S3 S21 | | S3
    L2 | S6 S24 | | S6
    L2 | S7 S11 | | S11
    L2 | S8 S13 | | S13
    L2 | S10 S16 | | S16
    L2 | S15 | | S15
    L2 | S18 | fits | S4
    L2 | S18 | | S18
    L2 | S19 | | S19
    L2 | S25 | insert | S11
    L2 | S25 | update | S13
    L2 | S25 | revival | S16
    L2 | S26 | | S26

    L3 | S1 | | - the row has the base's columns already
    L3 | S3 S6 S7 S10 S11 S16 S21 S24 | | - there is no live copy to go back to
    L3 | S4 S22 | | S1
    L3 | S8 S13 | | S13
    L3 | S15 | | S15
    L3 | S18 | lost copy | S4
    L3 | S19 | lost copy | S5
    L3 | S18 | sent before | S18
    L3 | S18 | | S1
    L3 | S19 | sent before | S19
    L3 | S19 | | S2
    L3 | S25 | update | S13
    L3 | S26 | | S1

    L4 | S11 | | S7
    L4 | S13 | | S8
    L4 | S16 | | S10
    L4 | S7 S8 S10 S25 | | - the row has the columns that are under way already
    L4 | S15 | | - a delete is under way: to go back to it is to delete the row
    L4 | S1 S3 S4 S6 S18 S19 S21 S22 S24 S26 | | - nothing is under way

    L5 | S18 | lost copy, nothing known | S6
    L5 | S18 | lost copy | S4
    L5 | S18 | | S1
    L5 | S19 | | - the server has no columns: to do as the server did is to delete the row
    L5 | S1 S3 S4 S6-S8 S10 S11 S13 S15 S16 S21 S22 S24-S26 | | - the server's copy is the base: this is L3

    L6 | S1 S4 S22 | | S5
    L6 | S3 S21 | | S0
    L6 | S6 S24 | | S2
    L6 | S7 S11 | | S12
    L6 | S8 S13 | | S14
    L6 | S10 S16 | | S17
    L6 | S15 | | S9
    L6 | S18 | | S20
    L6 | S19 | lost copy | S5
    L6 | S19 | | S2
    L6 | S25 | insert | S12
    L6 | S25 | update | S14
    L6 | S25 | revival | S17
    L6 | S26 | nothing known | S2
    L6 | S26 | | S5

    L7 | S1 S3 S4 S6-S8 S10 S11 S13 S15 S16 S18 S19 S21 S22 S24 | | - the row is in the list
    L7 | S0 | new id | S3
    L7 | S0 | | S6
    L7 | S2 | | S6
    L7 | S5 S23 | base's columns | S1
    L7 | S5 S23 | | S4
    L7 | S9 | | S15
    L7 | S12 | columns sent | S7
    L7 | S12 | | S11
    L7 | S14 | columns sent | S8
    L7 | S14 | | S13
    L7 | S17 | columns sent | S10
    L7 | S17 | | S16
    L7 | S20 | lost copy, base's columns | S4
    L7 | S20 | sent before, base's columns | S18
    L7 | S20 | base's columns | S1
    L7 | S20 | fits | S4
    L7 | S20 | | S18
    L7 | S25 | delete | S15
    L7 | S26 | base's columns | S1
    L7 | S26 | | S26

    L8 | S1 S3 S4 S6-S8 S10 S11 S13 S15 S16 S18 S19 S21 S22 S24-S26 | | like L2 L3 L4 L5
    L9 | S0-S26 | | like L2 L3 L4 L5 L6 L7

    L10 | S0-S2 | | - nothing waits
    L10 | S3 S21 | | S0
    L10 | S4 S5 S22 S23 | | S1
    L10 | S6 S24 | | S2
    L10 | S7 S11 S12 | | S12
    L10 | S8 | | S13
    L10 | S13 S14 | | S13
    L10 | S9 S15 | | S15
    L10 | S10 S16 S17 | | S17
    L10 | S18-S20 | lost copy | like L12
    L10 | S18 S20 | | S1
    L10 | S19 | | S2
    L10 | S25 | insert | S12
    L10 | S25 | update | S13
    L10 | S25 | delete | S15
    L10 | S25 | revival | S17
    L10 | S26 | | like W6

    """

  static let decisions = """
    L11 L12 L13 L14 | S0-S17 | | - nothing has to be decided
    L11 | S18 | lost copy, nothing known | S6
    L11 | S18 | | S4
    L11 | S19 | lost copy | S4
    L11 | S19 | | S6
    L11 | S20 | lost copy, nothing known | S2
    L11 | S20 | | S5
    L11 | S21 | | S3
    L11 | S22 | | S4
    L11 | S23 | | S5
    L11 | S24 | | S6
    L11 | S25 | insert | S7
    L11 | S25 | update | S8
    L11 | S25 | delete | S9
    L11 | S25 | revival | S10
    L11 | S26 | | like W5

    L12 L13 | S18 S20 | lost copy, nothing known | S6
    L12 L13 | S18 S20 | lost copy | S4
    L12 L13 | S19 | lost copy | S5
    L12 L13 | S18 S20 | | S1
    L12 L13 | S19 | | S2
    L12 | S21-S25 | | like L10
    L13 | S21-S25 | | - it is not offered, as the server would refuse the copy too
    L12 L13 | S26 | | like W6

    L14 | S18 S20 | lost copy, nothing known | S6
    L14 | S18-S20 | lost copy | S4
    L14 | S18 S20 | holds mine and more | S1
    L14 | S18 S20 | | S4
    L14 | S19 | | S6
    L14 | S21 | | S3
    L14 | S22 S23 | | S4
    L14 | S24 | | S6
    L14 | S25 | insert | S11
    L14 | S25 | update | S13
    L14 | S25 | delete | S15
    L14 | S25 | revival | S16
    L14 | S26 | nothing known | S6
    L14 | S26 | | S4

    L15 | S0 S3 S7 S11-S26 | | - no decision about a conflict leads here
    L15 | S1 | sent meanwhile, after edited, deleted here | S20
    L15 | S1 | sent meanwhile, after edited | S18
    L15 | S1 S2 | sent meanwhile | stays
    L15 | S1 S4 | deleted here | S20
    L15 | S1 S4 | | S18
    L15 | S2 S6 | | S19
    L15 | S5 | | S20
    L15 | S8 | after edited, deleted here | S14
    L15 | S8 | after edited | S13
    L15 | S10 | after edited | S16
    L15 | S8-S10 | | stays

    """
}
