import FrameJudge
import Testing
import Timebase

@testable import Retime

@Suite struct SpeedCurveTests {
  @Test func speedAloneIsACurve() throws {
    for text in ["1/8", "0.125", "12.5%", "8x-slower", " 1/8\n", "0s:1/8", "0s:1/8, 3s:1/8"] {
      #expect(try SpeedCurve(text: text).constant?.factor == Fraction(1, 8))
    }
  }

  @Test func pointsFreezesAndRemarksAreRead() throws {
    let curve = try SpeedCurve(
      text: """
        # a drop
        0s:1, 1.2s:1/8,      # slows down
        ease 3s: 2x-faster
        3.5s:freeze 500ms, 3.5s : 1
        """)
    #expect(
      curve.points == [
        .init(time: .zero, speed: try #require(Speed(Fraction(1)))),
        .init(time: .milliseconds(1200), speed: try #require(Speed(Fraction(1, 8)))),
        .init(time: .seconds(3), speed: try #require(Speed(Fraction(2))), isEased: true),
        .init(time: .milliseconds(3500), speed: try #require(Speed(Fraction(1)))),
      ])
    #expect(curve.freezes == [.init(time: .milliseconds(3500), duration: .milliseconds(500))])
    #expect(curve.constant == nil)
    #expect(curve.description == "0s:1, 1.2s:1/8, ease 3s:2, 3.5s:1, 3.5s:freeze 0.5s")
    #expect(try SpeedCurve(text: curve.description) == curve)
  }

  @Test(arguments: [
    ("", "contains no speed"), ("0s:1, x:2", "\"x:2\" has no valid time"),
    ("0s:1, 2s", "\"2s\" is not a point"),
    ("0s:1, 2s:1/8, 1s:1", "\"1s:1\" is earlier than the point before it, at 2s"),
    ("0s:1, 2s:freeze 1s, 1s:1", "\"1s:1\" is earlier than the point before it, at 2s"),
    ("0s:1, 2s:1, 1s:freeze 1s", "\"1s:freeze 1s\" is earlier than the point before it, at 2s"),
    ("0s:1, 1s:0", "\"1s:0\" has the speed 0"),
    ("0s:1, 1s:200", "\"1s:200\" has no valid speed after its colon"),
    ("0s:1,1s:2,1s:3,1s:4", "\"1s:4\" is the third"),
    ("ease 1s:1/8, 2s:1", "\"ease 1s:1/8\" cannot be eased"), ("1s:freeze 1s", "has no speed"),
    ("0s:1, 1s:freeze", "\"1s:freeze\" does not say how long"),
    ("0s:1, 1s:freeze 0s", "lasts no time"),
    ("0s:1, ease 1s:freeze 1s", "cannot be eased"), ("0s:1, -1s:1", "\"-1s:1\" has no valid time"),
    ("fast", "is not a speed"),
    ("0", "has the speed 0"), ("0s:1, 200h:1", "has no valid time"),
    ("1:8", "is not clear. Write 1/8 for a speed, or a unit for a point: 1s:8."),
  ])
  func badCurveNamesThePointAndWhatIsWrong(text: String, words: String) {
    let error = #expect(throws: CurveError.self) { try SpeedCurve(text: text) }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "none")")
  }

  @Test(arguments: [
    ("0s:1\n\n# down\n1s:1/8, x:2\n2s:1", 4), ("0s:1\r\n1s:2\r\n1s:3\r\n1s:4\r\n2s:1", 4),
    ("0s:1,\n2s:1\n1s:1", 3),
    ("fast", 1), ("0s:1\nease 1s:1/8\nease 2s:1\n2s:freeze 200h", 4),
  ])
  func badCurveNamesItsLine(text: String, line: Int) {
    #expect(#expect(throws: CurveError.self) { try SpeedCurve(text: text) }?.line == line)
  }

  @Test func firstPointAfterTheEndIsFound() throws {
    let curve = try SpeedCurve(text: "0s:1, 1s:1/8, 3s:1, 4s:freeze 1s")
    #expect(curve.point(after: Fraction(2)) == "3s:1")
    #expect(curve.point(after: Fraction(3)) == "4s:freeze 1s")
    #expect(curve.point(after: Fraction(4)) == nil)
  }

  @Test func fiveThousandRandomTextsAreReadOrRefused() throws {
    var generator = SplitMix(state: 7)
    let pieces = [
      "0s", "1s", "1.2s", "250ms", "1m", ":", ":", ":", ",", ",", "1", "1/8", "0.5", "1/10000", "100",
      "2x-faster",
      "freeze", " ", "ease ", "#", "\n", "0", "-1", "99999999999999999999", "%", "1/0", "@", "é", "\u{0}",
      "e", "s", ".",
      "0s:1,", "1s:1/8,", "2s:freeze 1s,", "ease 3s:1,",
    ]
    var readCount = 0
    for _ in 0..<5000 {
      let text = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
        pieces.randomElement(using: &generator) ?? ""
      }.joined()
      do {
        let curve = try SpeedCurve(text: text)
        readCount += 1
        let timeline = Timeline(
          video(24, at: Fraction(240)), speed: curve, outputRate: FrameRate(whole: 30), fill: .blend)
        #expect(timeline.outputFrameCount >= 1, "\(text)")
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
    #expect(readCount > 100)
  }

  @Test func pointsAndFreezesMadeByAProgramAreCheckedToo() throws {
    func point(_ time: Duration) -> SpeedCurve.Point { .init(time: time, speed: .normal) }
    func freeze(_ time: Duration) -> SpeedCurve.Freeze { .init(time: time, duration: .seconds(1)) }
    let week = Duration.seconds(7 * 24 * 3600)
    _ = try SpeedCurve(points: [point(.zero), point(week)], freezes: [freeze(.zero), freeze(week)])
    for (points, freezes, words) in [
      ([point(week + .nanoseconds(1))], [], "within a week"), ([point(.seconds(-1))], [], "within a week"),
      ([point(.seconds(2)), point(.seconds(1))], [], "is earlier than the point before it, at 2s"),
      (
        [point(.zero)], [freeze(.seconds(2)), freeze(.seconds(1))],
        "is earlier than the point before it, at 2s"
      ),
      ([], [freeze(.zero)], "has no speed"),
    ] as [([SpeedCurve.Point], [SpeedCurve.Freeze], String)] {
      let error = #expect(throws: CurveError.self) { try SpeedCurve(points: points, freezes: freezes) }
      #expect(error?.description.contains(words) == true, "\(error?.description ?? "none")")
    }
  }
}
