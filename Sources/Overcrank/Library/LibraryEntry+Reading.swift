public import Platform
public import Takes

extension LibraryEntry {
  /// Reads the whole take file, with the number and time of each frame.
  ///
  /// - Throws: `OvercrankError` if this version cannot read it as a take.
  public func take() throws(OvercrankError) -> Take {
    _ = try checkedDescription()
    guard let take = try Take.read(from: path) else {
      throw OvercrankError(.noInput, "\(path): no longer exists.")
    }
    return take
  }

  /// Reads the whole take file, as ``take()`` does, for what shows its times.
  ///
  /// - Throws: `OvercrankError` also with `badData` if they differ from the master's, and cannot be those of a recording:
  ///   a frame is not later than the one before it, or is days away from the first.
  public func takeOfPossibleTimes() throws(OvercrankError) -> Take {
    let take = try take()
    if let master { try MasterTimes.check(master, of: take) }
    return take
  }

  /// Returns the description at the beginning of the take file.
  ///
  /// - Throws: `OvercrankError` if this version cannot read it as a take.
  func checkedDescription() throws(OvercrankError) -> TakeDescription {
    switch kind {
    case .take(let take): return take
    case .newerTake(let version):
      throw OvercrankError(
        .unsupported,
        "\(path): was written by Overcrank \(version), and this is \(Version.current). Update Overcrank.")
    case .damagedTake(let reason): throw OvercrankError(.badData, reason)
    case .unreadableTake(let error): throw error
    case .takelessMaster:
      try checkIsNotGrowing()
      throw OvercrankError(
        .noInput,
        "\(path): is a master without a take. If its journal still exists, a take can be made from it.",
        remedy: .recover(path))
    case .part:
      try checkIsNotGrowing()
      guard partState != .empty else {
        throw OvercrankError(
          .noInput,
          "\(path): was prepared for a take that was never recorded, and is empty. It can be removed.")
      }
      guard partState != .recovered else {
        throw OvercrankError(
          .noInput,
          "\(path): has been recovered, and is left because it may hold more than the master. It can be removed."
        )
      }
      throw OvercrankError(
        .noInput, "\(path): is a recording that was cut off. It can be recovered.",
        remedy: .recover(path.withoutExtension))
    case .photo:
      throw OvercrankError(.noInput, "\(path): is a photo, but this works only with takes. Name a take.")
    case .unreadablePhoto(let error), .damagedGroup(let error): throw error
    case .unfinishedPhoto:
      try checkIsNotGrowing()
      throw OvercrankError(
        .noInput,
        "\(path): is left of a photo that was cut off while it was made, and cannot be recovered. It can be removed."
      )
    case .unfinishedFile:
      try checkIsNotGrowing()
      throw OvercrankError(
        .noInput,
        "\(path): is left of a file that was cut off while it was written, and is not needed. It can be removed."
      )
    }
  }

  /// Refuses a recording that has not ended.
  ///
  /// - Throws: `OvercrankError` with `busy`.
  private func checkIsNotGrowing() throws(OvercrankError) {
    guard partState == .growing else { return }
    throw OvercrankError(
      .busy, "\(path): another program is recording it, making it, or armed to. Wait for its end.")
  }
}
