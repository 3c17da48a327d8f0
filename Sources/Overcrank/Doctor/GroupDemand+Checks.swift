import Diagnostics
import Timebase

extension GroupDemand {
  /// Returns the checks of what the cameras need together, with numbers.
  ///
  /// - Parameter diskSpeed: the bytes per second that the disk writes; `nil` if unknown.
  func checks(diskSpeed: Int64?) -> [Diagnosis.Check] {
    [Diagnosis.Check("memory of all cameras", memoryVerdict)]
      + sharedBuses.map { Diagnosis.Check("USB bus \($0.name) of all cameras", verdict(on: $0)) }
      + [
        Diagnosis.Check("disk speed of all cameras", diskVerdict(diskSpeed)),
        Diagnosis.Check("disk space of all cameras", spaceVerdict),
      ]
  }

  private var memoryVerdict: Diagnosis.Verdict {
    let need = "The rings of \(cameras.count) cameras are \(ringBytes >> 20) MiB"
    guard let availableBytes else { return .unknown("\(need); the available memory is unknown.") }
    let words = "\(need); \(availableBytes >> 20) MiB of memory are available"
    guard isTight else { return .fine("\(words).") }
    return .finding(
      Finding(
        "\(words), of which rings take at most half.",
        why: "The rings are made smaller, so a pre-roll may be shorter, and a slow disk costs frames sooner.",
        remedy: "Close other programs, or record smaller modes.", severity: .hint))
  }

  private func verdict(on bus: SharedBus) -> Diagnosis.Verdict {
    guard bus.need <= bus.most else {
      return .finding(
        Finding(
          "\(bus.words).", why: "A camera may not start, or frames are lost.",
          remedy: "Record compressed or smaller modes, or use a port of another USB controller.",
          action: .chooseLighterMode))
    }
    guard bus.isKnown else {
      return .unknown("\(bus.words); how much compressed modes need is known only during a recording.")
    }
    return .fine("\(bus.words).")
  }

  private func diskVerdict(_ speed: Int64?) -> Diagnosis.Verdict {
    func sum(_ rates: [Int64]) -> Int64 { rates.reduce(0) { $0.adding(clamping: $1) } }
    let raw = cameras.compactMap(\.busBytesPerSecond)
    let bounds = cameras.compactMap(\.mostBytesPerSecond)
    let (need, most) = (sum(raw), sum(bounds))
    let modes =
      raw.isEmpty
      ? "how much \(cameras.count) cameras write is known only during a recording, because all modes are compressed"
      : "the modes of \(cameras.count) cameras write \(need / 1_000_000) MB/s"
    guard let speed else { return .unknown("The speed of the disk is unknown; \(modes).") }
    let disk = "The disk writes \(speed / 1_000_000) MB/s"
    guard DiskFacts.suffices(speed, for: need) else {
      return .finding(
        Finding(
          "\(disk), and \(modes).",
          why:
            "The rings fill up, and then frames are lost. Disks stall at times, so the disk should be 25 % faster.",
          remedy: "Record to a faster disk, or compressed or smaller modes.", action: .chooseLighterMode))
    }
    if raw.count == cameras.count { return .fine("\(disk), and \(modes).") }
    if bounds.count == cameras.count, DiskFacts.suffices(speed, for: most) {
      return .fine(
        "\(disk), and the modes of \(cameras.count) cameras write at most \(most / 1_000_000) MB/s.")
    }
    guard !raw.isEmpty else { return .unknown("\(disk); \(modes).") }
    return .unknown(
      "\(disk), and \(modes), beside those of compressed modes, which are known only during a recording.")
  }

  private var spaceVerdict: Diagnosis.Verdict {
    guard let freeBytes else { return .unknown("The free space of the disk is unknown.") }
    let free = "The disk has \(freeBytes.sizeWords) free"
    let rates = cameras.compactMap(\.bytesPerSecond)
    let need = rates.reduce(0, +)
    guard need > 0 else {
      return .unknown(
        "\(free); how much \(cameras.count) cameras write is known only during a recording.")
    }
    let tenths = Int64(clamping: Double(freeBytes) / need * 10)
    let isExact = cameras.allSatisfy { $0.busBytesPerSecond != nil }
    let words =
      "\(free): \(isExact ? "about" : "at most") \(Fraction(tenths, 10).decimal(places: 1)) s of "
      + "\(cameras.count) cameras"
    guard tenths < 10 * DiskFacts.fewestSeconds else { return .fine("\(words).") }
    return .finding(
      Finding(
        "\(words).", why: "A recording ends when the disk is full.",
        remedy: "Free some space, or choose another disk.", action: .chooseFolder))
  }
}
