import Foundation
import Testing

@testable import Timebase

@Suite("Instants and durations")
struct InstantTests {
  /// The limits of a duration.
  static let extremes = [Duration(attoseconds: .min), .zero, Duration(attoseconds: .max)]

  @Test("add and subtract")
  func arithmetic() {
    let start = Instant(nanoseconds: 1_000)
    #expect(start + .microseconds(3) == Instant(nanoseconds: 4_000))
    #expect(start - .microseconds(3) == Instant(nanoseconds: -2_000))
    #expect(start + .nanoseconds(-1) == start - .nanoseconds(1))
    #expect(Instant(nanoseconds: 4_000) - start == .microseconds(3))
    #expect(start.duration(to: Instant(nanoseconds: 0)) == .microseconds(-1))
    var moved = start
    moved += .nanoseconds(5)
    moved -= .nanoseconds(7)
    #expect(moved.nanoseconds == 998)
    #expect(start < start + .nanoseconds(1))
  }

  @Test(
    "are clamped at the ends of 64 bits, and never stop the program",
    arguments: [Int64.min, -1, 0, 1, .max])
  func ends(_ nanoseconds: Int64) {
    let instant = Instant(nanoseconds: nanoseconds)
    #expect(instant + Self.extremes[0] == .distantPast)
    #expect(instant + Self.extremes[2] == .distantFuture)
    #expect(instant - Self.extremes[0] == .distantFuture)
    #expect(instant - Self.extremes[2] == .distantPast)
    #expect(instant.advanced(by: .zero) == instant)
    for other in [Instant.distantPast, .distantFuture] {
      #expect(instant + (other - instant) == other)
    }
  }

  @Test("are their number of nanoseconds in JSON")
  func json() throws {
    let instants = [Instant(nanoseconds: .min), Instant(nanoseconds: 1_234_567_890)]
    let text = String(decoding: try JSONEncoder().encode(instants), as: UTF8.self)
    #expect(text == "[-9223372036854775808,1234567890]")
    #expect(try JSONDecoder().decode([Instant].self, from: Data(text.utf8)) == instants)
  }

  @Test("have whole nanoseconds, rounded towards zero and clamped to 64 bits")
  func wholeNanoseconds() {
    #expect(Duration(attoseconds: 1_999_999_999).wholeNanoseconds == 1)
    #expect(Duration(attoseconds: -1_999_999_999).wholeNanoseconds == -1)
    #expect(Self.extremes.map(\.wholeNanoseconds) == [.min, 0, .max])
    #expect(Duration.seconds(Int64.max).wholeNanoseconds == .max)
  }

  @Test("are exact fractions of seconds, and convert back to the nanosecond")
  func seconds() {
    #expect(Duration.milliseconds(1250).inSeconds == Fraction(5, 4))
    #expect(Duration(seconds: Fraction(1, 3)) == .nanoseconds(333_333_333))
    #expect(Duration(seconds: Fraction(2, 3)) == .nanoseconds(666_666_667))
    for extreme in Self.extremes { _ = extreme.inSeconds }
  }

  @Test(
    "become whole milliseconds for poll(2), rounded up and clamped",
    arguments: [
      (.zero, 0), (.nanoseconds(1), 1), (.milliseconds(100), 100), (.microseconds(100_001), 101),
      (.seconds(-1), 0), (.seconds(1 << 40), .max), (extremes[0], 0), (extremes[2], .max),
    ] as [(Duration, Int32)])
  func poll(_ duration: Duration, _ milliseconds: Int32) {
    #expect(duration.pollMilliseconds == milliseconds)
  }

  @Test(
    "are written with all nine digits of nanoseconds",
    arguments: [
      (.zero, "0.000000000"), (.milliseconds(50), "0.050000000"),
      (.nanoseconds(1_234_567_890), "1.234567890"),
      (.milliseconds(-50), "-0.050000000"),
    ] as [(Duration, String)])
  func text(_ duration: Duration, _ text: String) { #expect(duration.secondsText == text) }
}
