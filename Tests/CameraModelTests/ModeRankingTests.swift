import Testing
import Timebase

@testable import CameraModel

@Suite("The ranking of two modes")
struct ModeRankingTests {
  private typealias Candidate = ModeRanking.Candidate

  /// Why one of two modes loses and the other wins, the weightiest criterion first.
  private static let words = [
    ("binned", "known to be less binned"), ("narrower", "wider"), ("less tall", "taller"),
    ("further from 120 fps", "closer to 120 fps"), ("binned", "less binned"),
    ("of limited range", "of a fuller range"), ("heavier to sustain as YUYV", "lighter to sustain"),
    ("later in the driver's list", "earlier in the driver's list"),
  ]

  /// Returns a mode that is the worse of two by the criteria at these places of ``words``.
  private func candidate(worseIn places: Range<Int>) -> Candidate {
    func isWorse(_ place: Int) -> Bool { places.contains(place) }
    return Candidate(
      mode: Mode(
        fourcc: isWorse(6) ? "YUYV" : "MJPG", width: isWorse(1) ? 640 : 1280, height: isWorse(2) ? 480 : 720,
        interval: FrameInterval(1, 120)),
      rate: FrameRate(whole: 120), distance: isWorse(3) ? Fraction(1) : Fraction(0),
      preference: isWorse(0) ? 1 : 0, isBinned: isWorse(4) || isWorse(0), isLimited: isWorse(5),
      family: isWorse(6) ? .raw : .jpeg, order: isWorse(7) ? 1 : 0)
  }

  @Test("is decided by the weightiest criterion in which they differ", arguments: 0..<8)
  func step(_ place: Int) {
    let (loser, winner) = (candidate(worseIn: place..<place + 1), candidate(worseIn: place + 1..<8))
    #expect(winner < loser && !(loser < winner))
    let asked = FrameRate(whole: 120)
    #expect(loser.whatItLost(to: winner, at: asked) == Self.words[place].0)
    #expect(winner.whatItHas(over: loser, at: asked) == Self.words[place].1)
  }

  @Test("is a tie if they are the same")
  func same() {
    let (one, other) = (candidate(worseIn: 0..<0), candidate(worseIn: 0..<0))
    #expect(!(one < other) && !(other < one))
    #expect(one.whatItLost(to: other, at: FrameRate(whole: 120)) == "the same")
    #expect(one.whatItHas(over: other, at: FrameRate(whole: 120)) == "no other")
  }
}
