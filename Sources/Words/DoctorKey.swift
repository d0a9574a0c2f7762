/// The texts of `ebb doctor`, by their names in `Resources/strings/*.strings`.
package enum DoctorKey: String, CaseIterable, Sendable {
  case place = "doctor.place"
  case standard = "doctor.standard"
  case nothing = "doctor.nothing"
  /// A line: what was looked at, and what was found.
  case line = "doctor.line"
  case summaryWell = "doctor.summaryWell"
  case summary = "doctor.summary"
  case notLookedAt = "doctor.notLookedAt"

  case storeNotYet = "doctor.storeNotYet"
  case contentsWhole = "doctor.contentsWhole"
  case contentsDamaged = "doctor.contentsDamaged"
  case versionOlder = "doctor.versionOlder"
  case spaceFree = "doctor.spaceFree"
  case spaceLow = "doctor.spaceLow"
  case privacyOwn = "doctor.privacyOwn"
  case tokenOfOther = "doctor.tokenOfOther"
  case privacyFile = "doctor.privacyFile"
  case privacyFolder = "doctor.privacyFolder"
  case conflictsWait = "doctor.conflictsWait"

  case configurationNone = "doctor.configurationNone"
  case configurationUnreadable = "doctor.configurationUnreadable"
  case environmentUnknown = "doctor.environmentUnknown"
  case environmentRelative = "doctor.environmentRelative"

  case charsetASCII = "doctor.charsetASCII"
  case colorsOff = "doctor.colorsOff"
  case colorsAny = "doctor.colorsAny"

  case serverNone = "doctor.serverNone"
  case serverNoneWithoutFile = "doctor.serverNoneWithoutFile"
  case nameUnknown = "doctor.nameUnknown"
  case connectionMade = "doctor.connectionMade"
  case connectionRefused = "doctor.connectionRefused"
  case connectionRefusedHere = "doctor.connectionRefusedHere"
  case connectionNoRoute = "doctor.connectionNoRoute"
  case connectionSlow = "doctor.connectionSlow"
  case connectionFailed = "doctor.connectionFailed"
  case encryptionOn = "doctor.encryptionOn"
  case encryptionLocal = "doctor.encryptionLocal"
  case encryptionOff = "doctor.encryptionOff"
  case encryptionFailed = "doctor.encryptionFailed"
  case encryptionNone = "doctor.encryptionNone"
  case encryptionSilent = "doctor.encryptionSilent"
  case encryptionCut = "doctor.encryptionCut"
  case encryptionOutOfTerm = "doctor.encryptionOutOfTerm"
  case encryptionOtherName = "doctor.encryptionOtherName"
  case encryptionUnknownAuthority = "doctor.encryptionUnknownAuthority"
  case answerCame = "doctor.answerCame"
  case answerCut = "doctor.answerCut"
  case answerSilent = "doctor.answerSilent"
  case answerBusy = "doctor.answerBusy"
  case answerFailed = "doctor.answerFailed"
  case tableServerOwn = "doctor.tableServerOwn"
  case tableServerOther = "doctor.tableServerOther"
  case tableServerNone = "doctor.tableServerNone"
  case tableServerReplaced = "doctor.tableServerReplaced"
  case signInAccepted = "doctor.signInAccepted"
  case signInNotNeeded = "doctor.signInNotNeeded"
  case signInRefused = "doctor.signInRefused"

  case columnsOther = "doctor.columnsOther"
  case columnsNotNeeded = "doctor.columnsNotNeeded"
  case columnsUnnamed = "doctor.columnsUnnamed"
  case accountNobodys = "doctor.accountNobodys"
  case accountMoved = "doctor.accountMoved"
  case clockRight = "doctor.clockRight"
  case clockUntold = "doctor.clockUntold"
  case clockAhead = "doctor.clockAhead"
  case clockBehind = "doctor.clockBehind"
  case lastSyncNever = "doctor.lastSyncNever"
  case lastSyncOld = "doctor.lastSyncOld"
  case agreementSame = "doctor.agreementSame"
  case agreementUntold = "doctor.agreementUntold"
  case agreementUnknown = "doctor.agreementUnknown"
  case agreementVoid = "doctor.agreementVoid"
  case agreementStopped = "doctor.agreementStopped"
}

/// The checks of `ebb doctor`, in this order; the names are those of `--json`.
package enum DoctorCheck: String, CaseIterable, Sendable {
  case store, contents, version, space, privacy, changes, conflicts
  case configuration, settings, token, environment
  case terminal, charset, colors, language
  case server, name, connection, encryption, answer, tableServer, signIn
  case columns, account, clock, lastSync, agreement
}
