import Media
public import Platform
public import SystemPackage
public import Takes
import Timebase

/// A take of a group, with what its files tell about its place on the clock of the group.
public struct GroupMember: Sendable {
  /// The camera's name in the group.
  public let name: String
  /// The take file.
  public let path: FilePath
  /// Its content.
  public let take: Take
  /// The steady clock behind the timestamps; `nil` if there is none.
  private let fit: FrameClockFit?

  /// Creates the member with this take, which is in the file at `path`.
  init(name: String, path: FilePath, take: Take) {
    self.name = name
    self.path = path
    self.take = take
    fit =
      take.hasReliableSequence
      ? FrameClockFit(sequences: Array(take.sequences), timestamps: take.timestamps.map(\.nanoseconds)) : nil
  }

  /// Opens the take in the file at `path`.
  ///
  /// - Parameters:
  ///   - name: the camera's name in the group.
  ///   - path: the take file.
  /// - Throws: `OvercrankError` if there is no take, or one without frames, or whose times are not its master's.
  public init(name: String, path: FilePath) throws(OvercrankError) {
    guard !path.isLinkElsewhere else {
      throw OvercrankError(
        .noInput, "\(path): is a link to another folder, which is not followed. Name the take there.")
    }
    guard let take = try Take.read(from: path) else {
      throw OvercrankError(
        .noInput,
        "\(path): there is no such take, so the group lacks the frames of camera \(name). Put the take back, or align "
          + "the other takes again.")
    }
    guard take.timestamps.first != nil else {
      throw OvercrankError(.badData, "\(path): has no frames, so it has no place on a clock.")
    }
    if let master = Self.master(of: take, at: path) { try MasterTimes.check(master, of: take) }
    self.init(name: name, path: path, take: take)
  }

  /// The nanoseconds from frame to frame; infinite if unknown.
  var interval: Double {
    if let fit { return fit.interval }
    return take.measuredFramesPerSecond.map { 1e9 / $0 }
      ?? take.acceptedInterval?.rate.map { 1e9 / $0.framesPerSecond.doubleValue } ?? .infinity
  }

  /// The time of the first frame on the take's clock in nanoseconds: its timestamp, without the lateness that
  /// the other timestamps show.
  var start: Double { Double(take.timestamps.first?.nanoseconds ?? 0) + (fit?.first ?? 0) }

  /// The bound of the error of ``start``: a frame's interval if the timestamps are not steady.
  var startUncertainty: Double { fit?.uncertainty ?? interval }

  /// The bound of the error of ``interval``, as a part of it in millionths.
  var rateUncertainty: Double { fit?.rateUncertainty ?? 1e6 * interval / max(1, length) }

  /// The time from the first frame to the last, in nanoseconds.
  var length: Double {
    Double(take.timestamps.last?.nanoseconds ?? 0) - Double(take.timestamps.first?.nanoseconds ?? 0)
  }

  /// The nanoseconds from ``start`` to each frame.
  var frameTimes: [Double] {
    guard let fit, let first = take.sequences.first else {
      let first = take.timestamps.first?.nanoseconds ?? 0
      return take.timestamps.map { Double($0.nanoseconds.subtracting(clamping: first)) }
    }
    return take.sequences.map { Double($0.subtracting(clamping: first)) * fit.interval }
  }

  /// The nanoseconds from the first frame to the trigger; `nil` if no trigger began the take.
  var triggerPlace: Double? { take.trigger?.frameTime.map { Double($0.nanoseconds) - start } }

  /// Whether its timestamps are those of the machine's clock. A trigger has another time among the frames if
  /// the driver's clock turned out to differ.
  var hasCommonClock: Bool { take.clock == .monotonic && take.trigger?.frameTime == take.trigger?.time }

  /// The master beside the take; `nil` if the take names none. A take from elsewhere may name any file of the user,
  /// so a link out of its folder is not followed.
  var master: FilePath? { Self.master(of: take, at: path) }

  private static func master(of take: Take, at path: FilePath) -> FilePath? {
    take.master.flatMap(path.file(named:)).flatMap { $0.isLinkElsewhere ? nil : $0 }
  }

  /// Decodes the audio of the master; `nil` if it has none.
  ///
  /// - Throws: `OvercrankError` if the master cannot be read.
  func audio() throws(OvercrankError) -> SourceAudio? {
    guard let audio = take.audio, let master else { return nil }
    let ratio = (audio.measuredRate ?? Double(audio.nominalRate)) / Double(max(1, audio.nominalRate))
    let timing = AudioTiming(offset: audio.offset / .seconds(1), ratio: ratio)
    let seconds = min(Self.longestAudio, max(0, length + interval) / 1e9)
    return try SourceAudio(of: master, heard: timing, seconds: seconds)
  }

  /// The seconds of audio that are compared: the memory for more would be gigabytes.
  private static let longestAudio = 600.0
}

extension GroupMember {
  /// Returns how long each of several takes that end at one moment has no frames at its end; `nil` for a take that has
  /// them, or another reason to end earlier.
  ///
  /// - Parameters:
  ///   - members: the takes.
  ///   - places: their places on the clock of the group.
  static func silences(_ members: [GroupMember], at places: [TakeGroup.Camera]) -> [Duration?] {
    let ends = zip(members, places).map { $1.place(of: .nanoseconds(Int64(clamping: $0.length))) }
    guard let end = ends.max() else { return [] }
    return zip(members, ends).map { member, last in
      let usual = Int64(clamping: member.interval)
      guard member.take.failure == nil, member.take.sizeLimit?.isReached != true,
        CapturePauses.pause(in: (end - last).wholeNanoseconds, over: 1, usual: usual) != nil
      else { return nil }
      return end - last
    }
  }

  /// Returns the usual file of the group of `members`: `jump.group.json` for takes named `jump-A` and `jump-B`,
  /// beside the first take, or in the folder above if another take is elsewhere.
  public static func usualGroup(of members: [GroupMember]) -> FilePath {
    let takes = members.map { FilePath($0.path.absolutePath) }
    guard let first = takes.first else { return FilePath("takes" + TakeGroup.suffix) }
    var folder = first.folder
    while !takes.allSatisfy({ $0.starts(with: folder) }), !folder.components.isEmpty {
      folder.removeLastComponent()
    }
    let names = takes.map { path in
      path.name.hasSuffix(TakeFiles.takeSuffix)
        ? String(path.name.dropLast(TakeFiles.takeSuffix.count)) : path.name
    }
    var common = names[0]
    while !common.isEmpty, !names.allSatisfy({ $0.hasPrefix(common) }) { common.removeLast() }
    while let last = common.last, "-_. ".contains(last) { common.removeLast() }
    return folder.appending((common.isEmpty ? names[0] : common) + TakeGroup.suffix)
  }
}
