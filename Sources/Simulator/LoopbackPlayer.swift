package import CameraModel
import Cameras
package import Platform
package import SystemPackage
import Timebase
import V4L2

/// Plays a simulated camera into a node that takes frames, such as a v4l2loopback device.
///
/// Where the machine is too slow for the rate, frames go out late, never left out: their numbers in the
/// reader's picture then still count up, and the reader measures the rate that was really kept. A short delay
/// is caught up with little by little, as a burst would write over what the reader has in hand.
package enum LoopbackPlayer {
  /// The delay that is caught up with; what is later than that stays late.
  private static let mostCatchingUp = Duration.milliseconds(50)

  /// Plays `mode` until `isStopped` says so, and returns how many frames were played.
  ///
  /// - Parameters:
  ///   - mode: the mode to play.
  ///   - path: the node that takes the frames.
  ///   - frameLimit: the most frames that are played; `nil` for no end.
  ///   - faults: of these, what the pictures show: missing Huffman tables, the lamp, the rest, the
  ///     noise.
  ///   - isStopped: is asked before each frame, and while the pictures are drawn.
  /// - Throws: `OvercrankError` where the mode cannot be drawn or the node does not take it.
  package static func play(
    _ mode: Mode, to path: FilePath, frameLimit: Int? = nil,
    faults: SimulatedFaults = SimulatedFaults(), isStopped: @escaping () -> Bool
  ) throws(OvercrankError) -> Int {
    guard let format = mode.pixelFormat, let rate = mode.rate else {
      throw OvercrankError(.noMode, "\(mode) is no mode that can be drawn.")
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
        try output.write(picture.compose(UInt32(truncatingIfNeeded: number)))
        written = clock.now
        number += 1
      }
      return number
    } catch {
      throw OvercrankError(error)
    }
  }
}
