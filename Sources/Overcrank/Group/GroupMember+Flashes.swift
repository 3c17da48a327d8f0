import Platform
import Retime
import Takes
import Timebase

extension GroupMember {
  /// Finds the flashes in the frames of the master.
  ///
  /// - Throws: `OvercrankError` with `badData` if there are none, or the master cannot be read; `noInput` if it is
  ///   missing; `cancelled`.
  nonisolated(nonsending) func flashes() async throws(OvercrankError) -> SeenFlashes {
    guard let master else {
      throw OvercrankError(
        .noInput,
        "\(path): has no master in its folder, so no flash can be seen. Copy the master there, or align the take in "
          + "another way.")
    }
    let meter = try RowMeter(ClipSource(master, take: take))
    var detector = FlashDetector()
    while let (frame, rows) = try await meter.next() { detector.add(rows, of: frame) }
    detector.finish()
    let ends = detector.ends
    guard !detector.hasTooMany else {
      throw OvercrankError(
        .badData,
        "\(path): has more than \(FlashDetector.mostFlashes) flashes, as of a lamp that flickers. Align the take in "
          + "another way, or record a few flashes in steady light.")
    }
    guard !ends.isEmpty else {
      let words =
        detector.isSaturated
        ? "its picture is white already, so no flash can be seen. Record with a shorter exposure or less gain"
        : "no flash was found in it.\(lossesOfFlashes) Flash a bright light briefly where all cameras see it"
      throw OvercrankError(.badData, "\(path): \(words), or align the take in another way.")
    }
    let times = frameTimes
    return SeenFlashes(
      ends, height: meter.height, interval: interval, clockError: startUncertainty, rateError: rateUncertainty
    ) {
      frame in
      // A flash at the end of a take may end in the frame after it.
      frame < times.count ? times[max(0, frame)] : (times.last ?? 0) + interval
    }
  }

  /// A sentence about the frames that the take lost, in which a flash may be missing; empty if it lost none.
  var lossesOfFlashes: String {
    guard !take.losses.isEmpty else { return "" }
    let runs = take.losses.prefix(3).map { loss in
      let last = loss.sequence.adding(clamping: loss.count.subtracting(clamping: 1))
      return last > loss.sequence ? "\(loss.sequence)-\(last)" : "\(loss.sequence)"
    }
    let numbers = runs.joined(separator: ", ") + (take.losses.count > runs.count ? " and others" : "")
    return " The camera's frames \(numbers) are missing in \(path), so a flash may be, too."
  }
}
