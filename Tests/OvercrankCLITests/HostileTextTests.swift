import CameraModel
import Cameras
import Capture
import Overcrank
import Retime
import Simulator
import Testing
import Timebase

/// Every reader of an option's text, with texts that no user means. `script/test options` does the same with
/// the program.
@Suite("Any text given as an option is read or refused with a message")
struct HostileTextTests {
  /// Each reader by name; it throws if it refuses the text.
  private static let readers: [(name: String, read: @Sendable (String) throws -> Void)] = [
    ("duration", { _ = try Duration(text: $0) }), ("rate", { _ = try FrameRate(text: $0) }),
    ("asked rate", { _ = try RequestedRate(text: $0) }), ("speed", { _ = try Speed(text: $0) }),
    ("curve", { _ = try SpeedCurve(text: $0) }), ("scale", { _ = try ClipScale(text: $0) }),
    ("crop", { _ = try ClipCrop(text: $0) }), ("format", { _ = try FormatFilter(text: $0) }),
    ("exposure", { _ = try ExposureChoice(text: $0) }), ("gain", { _ = try GainChoice(text: $0) }),
    ("control", { _ = try ControlSetting(text: $0) }), ("ring", { _ = try RingSize(text: $0) }),
    ("trigger", { _ = try TriggerSources.source($0) }),
    ("camera", { _ = try SimulatedCameraAddress(text: "sim:" + $0) }),
    ("fault", { _ = try SimulatedFaults(text: $0) }),
  ]

  private static let numbers = [
    "", " ", "-1", "-0", "0", "+1", "nan", "inf", "-inf", "1e999", "0x10", "9223372036854775807",
    "-9223372036854775808", "9223372036854775808", "18446744073709551615", "18446744073709551616",
    "2147483648", "4294967296", "1/0", "0/0", "1/9223372036854775807", "9223372036854775807/1",
    "4294967295/4294967296", "4294967296000/4294967295", "0.0000000001", "999999999.999999999", "1/2/3", "/",
    ".",
    "1.", ".1", "١٢٣", "½", "²",
  ]
  private static let units = [
    "s", "ms", "us", "h", "m", "fps", "%", "x", "x-slower", "x-faster", "p", "px", "f", "frames", "MiB",
    "GiB", ":-1",
    ":00", ":00:00", "x16", "x16+0+0", "@5", "@1920x1080",
  ]
  private static let frames = [
    "", "-1:", "16x16+", "16x", "0s:", "0s:1,", "ease 0s:", "1s:freeze ", "time=", "socket=", "gain=",
    "drop=", "corrupt=",
    "stall=", "rate=", "accept=", "jitter=", "flicker=", "buffers=", "seed=", "disconnect=", "flicker=100:",
    "stall=1s@",
    "drop=5-", "accept=60@1920x",
  ]

  @Test("by every reader, with every number and unit", arguments: readers.indices)
  func everyReader(_ place: Int) {
    let reader = Self.readers[place]
    let numbers = Self.numbers
    var texts = Self.frames.flatMap { frame in numbers.map { frame + $0 } }
    texts += Self.units.flatMap { unit in numbers.map { $0 + unit } }
    texts += Self.units.flatMap { unit in Self.frames.map { $0 + "1" + unit } }
    for text in texts {
      do { try reader.read(text) } catch {
        let words = "\(error)"
        #expect(!words.isEmpty && !words.contains("Error("), "\(reader.name) of \(text): \(words)")
      }
    }
    for text in [
      String(repeating: "1", count: 70_000), String(repeating: "a", count: 70_000),
      String(repeating: ":", count: 70_000), String(repeating: "1s", count: 35_000),
      String(repeating: "0s:1,", count: 14_000), String(repeating: "é☃😀", count: 5_000), "\u{0}", "\u{202e}",
      "\n",
    ] {
      do { try reader.read(text) } catch { #expect(!"\(error)".isEmpty) }
    }
  }
}
