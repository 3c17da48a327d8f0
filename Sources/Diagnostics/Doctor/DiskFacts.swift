import Media
public import Platform
public import SystemPackage
import Timebase

/// How fast a folder's disk is.
public struct DiskFacts: Hashable, Sendable {
  /// The folder.
  public let folder: FilePath
  /// What was measured; `nil` where it could not be.
  public let speed: DiskProbe?
  /// Why it could not be measured.
  public let failure: FileError?

  /// Measures the disk of `folder`, which takes about a second.
  public init(measuring folder: FilePath) {
    self.folder = folder
    do throws(FileError) {
      speed = try DiskProbe(folder: folder)
      failure = nil
    } catch {
      speed = nil
      failure = error
    }
  }

  /// The check of the disk for what `load` writes.
  public func check(for load: ModeLoad?) -> Diagnosis.Check {
    Diagnosis.Check(
      "disk speed",
      failure.map { failure in
        .finding(
          Finding(
            failure.description, why: "A take goes to the disk while it is recorded.",
            remedy: "Name another folder.", action: .chooseFolder))
      }
        ?? Self.verdict(
          folder, bytesPerSecond: speed.map { Int64(clamping: $0.bytesPerSecond) }, for: load))
  }

  static func verdict(_ folder: FilePath, bytesPerSecond: Int64?, for load: ModeLoad?) -> Diagnosis.Verdict {
    guard let speed = bytesPerSecond else { return .unknown("The disk of \(folder) was not measured.") }
    let measured = "The disk of \(folder) takes \(megabytes(speed))/s"
    guard let load else { return .unknown("\(measured); what is to be recorded is not known.") }
    // Disks stall: a quarter in reserve lets the writer catch up before the ring is full.
    func suffices(_ need: Int64) -> Bool { speed >= need.adding(clamping: need / 4) }
    if let need = load.bytesPerSecond, !suffices(need) {
      return .finding(
        Finding(
          "\(measured); \(load.mode) writes \(megabytes(need))/s.",
          why:
            "The ring fills up, and then frames are lost. Disks stall, so the disk should take a quarter more than that.",
          remedy:
            "Record to a faster disk, or a compressed or smaller mode.",
          action: .chooseLighterMode))
    }
    if let most = load.mostBytesPerSecond, suffices(most) {
      return .fine("\(measured); \(load.mode) writes at most \(megabytes(most))/s.")
    }
    return .unknown(
      "\(measured); how much \(load.mode) writes shows only while it is recorded, as its frames are compressed."
    )
  }
}
