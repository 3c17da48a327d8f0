package import CameraModel
import Cameras
package import Platform
package import SystemPackage
import Timebase
import V4L2

/// A player that sends a simulated camera's frames to an output node, such as a v4l2loopback device.
///
/// If the machine is too slow for the rate, frames are late but none is skipped, so the numbers in the
/// reader's pictures are still consecutive, and the reader measures the actual rate. The player makes up a
/// short delay gradually, because a burst would overwrite frames that the reader still uses.
package enum LoopbackPlayer {
  /// The delay that is made up; any further delay shifts the schedule.
  private static let mostCatchingUp = Duration.milliseconds(50)

  /// Plays `mode` until `isStopped` returns `true`, and returns the number of frames played.
  ///
  /// - Parameters:
  ///   - mode: The mode to play.
  ///   - path: The output node.
  ///   - frameLimit: The maximum number of frames; `nil` for no limit.
  ///   - faults: The faults; only those that affect the pictures apply: missing Huffman tables, the lamp, the
  ///     rest, and the noise.
  ///   - isStopped: Called before each frame, and during drawing; `true` ends the playback.
  /// - Throws: `OvercrankError` if the mode cannot be drawn or the node does not accept it.
  package static func play(
    _ mode: Mode, to path: FilePath, frameLimit: Int? = nil,
    faults: SimulatedFaults = SimulatedFaults(), isStopped: @escaping () -> Bool
  ) throws(OvercrankError) -> Int {
    guard let format = mode.pixelFormat, let rate = mode.rate else {
      throw OvercrankError(.noMode, "\(mode) is not a mode that can be drawn.")
    }
    var picture: SimulatedPicture
    do throws(OvercrankError) {
      picture = try SimulatedPicture(
        format: format, width: Int(mode.width), height: Int(mode.height),
        huffmanTables: faults.huffmanTables,
        conditions: faults.conditions(interval: rate.interval), isStopped: isStopped)
    } catch {
      guard error.code == .cancelled else { throw error }
      return 0
    }
    do throws(V4L2Error) {
      let output = try VideoOutput(
        path: path, format: format, width: mode.width, height: mode.height,
        largestFrame: picture.largestFrame, interval: mode.interval)
      let clock = MonotonicClock()
      let interval = Duration(seconds: rate.interval)
      var start = clock.now
      var last = start - interval
      var written = last
      var number = 0
      while !isStopped(), number < frameLimit ?? .max {
        let due = start + Duration(seconds: rate.interval * Fraction(Int64(number)))
        clock.wait(until: max(due, last + interval * 7 / 8, written + interval / 2))
        last = clock.now
        start += max(.zero, due.duration(to: last) - Self.mostCatchingUp)
        try output.write(picture.compose(UInt32(truncatingIfNeeded: number), white: []))
        written = clock.now
        number += 1
      }
      return number
    } catch {
      throw OvercrankError(error)
    }
  }
}
