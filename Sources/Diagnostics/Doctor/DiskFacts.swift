import Capture
import Media
public import Platform
public import SystemPackage
import Timebase

/// The speed and the free space of a folder's disk.
public struct DiskFacts: Hashable, Sendable {
  /// The folder.
  public let folder: FilePath
  /// The measurement; `nil` if it failed.
  public let speed: DiskProbe?
  /// The reason why the measurement failed.
  public let failure: OvercrankError?
  /// The number of bytes that this user can still write there; `nil` if unknown.
  public let freeBytes: Int64?

  /// The number of measurements; `speed` is the fastest of them.
  public let measurementCount: Int

  /// Whether the disk is an SD card in a slot of its own.
  public let isSDCard: Bool

  /// Measures the disk of `folder`, which takes about a second. Measures up to three times if it seems too
  /// slow for `load` and `others` together, because other programs may have kept it busy.
  public init(measuring folder: FilePath, for load: ModeLoad? = nil, and others: [ModeLoad] = []) {
    self.folder = folder
    freeBytes = folder.bytesFree
    isSDCard = folder.isOnSDCard()
    var count = 1
    do throws(OvercrankError) {
      var fastest = try DiskProbe(folder: folder)
      while count < Self.mostMeasurements, !Self.suffices(fastest, for: [load].compactMap(\.self) + others) {
        let next = try DiskProbe(folder: folder)
        if next.bytesPerSecond > fastest.bytesPerSecond { fastest = next }
        count += 1
      }
      speed = fastest
      failure = nil
    } catch {
      speed = nil
      failure = error
    }
    measurementCount = count
  }

  /// Returns the check of the disk for the data that `load` writes.
  public func check(for load: ModeLoad?) -> Diagnosis.Check {
    Diagnosis.Check(
      "disk speed",
      failure.map { failure in
        .finding(
          Finding(
            failure.description, why: "A take is written to the disk while it is recorded.",
            remedy: failure.code == .inputOutput
              ? "Free some space, or choose another disk." : "Choose a folder that you may write to.",
            action: .chooseFolder))
      }
        ?? Self.verdict(
          folder, bytesPerSecond: speed.map { Int64(clamping: $0.bytesPerSecond) },
          measurementCount: measurementCount, isSDCard: isSDCard, for: load))
  }

  /// Returns the check of the free space for a recording with `load`.
  public func spaceCheck(for load: ModeLoad) -> Diagnosis.Check {
    Diagnosis.Check("disk space", Self.space(folder, bytesFree: freeBytes, for: load))
  }

  private static let mostMeasurements = 3
  /// The seconds of a recording for which a disk should have space.
  package static let fewestSeconds: Int64 = 30

  static func space(_ folder: FilePath, bytesFree: Int64?, for load: ModeLoad) -> Diagnosis.Verdict {
    guard let bytesFree else { return .unknown("The free space of the disk of \(folder) is unknown.") }
    let free = "The disk of \(folder) has \(bytesFree.sizeWords) free"
    guard let rate = RingSize.leastBytesPerSecond(of: load.mode), rate > 0 else {
      return .unknown("\(free); how much \(load.mode) writes is known only during a recording.")
    }
    let tenths = Int64(clamping: Double(bytesFree) / rate * 10)
    let bound = load.bytesPerSecond == nil ? "at most" : "about"
    let words = "\(free): \(bound) \(Fraction(tenths, 10).decimal(places: 1)) s of \(load.mode)"
    guard tenths < 10 * fewestSeconds else { return .fine("\(words).") }
    return .finding(
      Finding(
        "\(words).", why: "A recording ends when the disk is full.",
        remedy: "Free some space, or choose another disk.", action: .chooseFolder))
  }

  /// Returns whether the disk is fast enough for the most that `loads` may write together.
  private static func suffices(_ speed: DiskProbe, for loads: [ModeLoad]) -> Bool {
    let most = loads.compactMap(\.mostBytesPerSecond).reduce(Int64(0)) { $0.adding(clamping: $1) }
    return loads.allSatisfy { $0.mostBytesPerSecond != nil }
      && suffices(Int64(clamping: speed.bytesPerSecond), for: most)
  }

  /// Returns whether a disk that writes this many bytes per second is fast enough for `need`. Disks stall: a reserve
  /// of a quarter lets the writer catch up before the ring fills.
  package static func suffices(_ bytesPerSecond: Int64, for need: Int64) -> Bool {
    bytesPerSecond >= need.adding(clamping: need / 4)
  }

  static func verdict(
    _ folder: FilePath, bytesPerSecond: Int64?, measurementCount: Int = 1, isSDCard: Bool = false,
    for load: ModeLoad?
  ) -> Diagnosis.Verdict {
    guard let speed = bytesPerSecond else { return .unknown("The disk of \(folder) was not measured.") }
    let measured =
      "The \(isSDCard ? "SD card" : "disk") of \(folder) can write \(megabytes(speed))/s"
      + (measurementCount > 1 ? " (the best of \(measurementCount) measurements)" : "")
    guard let load else { return .fine("\(measured).") }
    if let need = load.bytesPerSecond, !suffices(speed, for: need) {
      return .finding(
        Finding(
          "\(measured); \(load.mode) writes \(megabytes(need))/s.",
          why:
            "The ring fills up, and then frames are lost. Disks stall at times, so the disk should be 25 % faster.",
          remedy:
            "Record to \(isSDCard ? "a disk at a USB 3 port" : "a faster disk"), or a compressed or smaller mode.",
          action: .chooseLighterMode))
    }
    if let most = load.mostBytesPerSecond, suffices(speed, for: most) {
      return .fine("\(measured); \(load.mode) writes at most \(megabytes(most))/s.")
    }
    return .unknown(
      "\(measured); how much \(load.mode) writes is known only during a recording, because its frames are compressed."
    )
  }
}
