import CameraModel
import Takes
import Testing
import Timebase

@testable import Capture
@testable import StudioServer

@Suite("A studio's report on its session")
struct StudioModelTests {
  private static let mode = Mode(fourcc: "MJPG", width: 640, height: 480, interval: FrameInterval(1, 240))

  private func status(_ phase: SessionStatus.Phase) -> SessionStatus {
    var status = SessionStatus(configuration: SessionConfiguration(mode: Self.mode))
    status.phase = phase
    status.ring = SessionStatus.RingStatus(capacity: 1000, fillBytes: 250)
    return status
  }

  private func model() -> StudioModel {
    var model = StudioModel()
    model.stage = .open
    return model
  }

  @Test(
    "has the session's phase while its camera is open",
    arguments: [
      (SessionStatus.Phase.starting, StudioState.Phase.starting), (.armed, .armed), (.recording, .recording),
      (.gathering, .gathering), (.reviewing, .reviewing), (.interrupted, .interrupted), (.ending, .starting),
      (.ended, .starting),
    ])
  func phases(_ phase: SessionStatus.Phase, _ told: StudioState.Phase) {
    var status = status(phase)
    status.reviewCount = 1
    #expect(model().state(status).phase == told)
    var opening = model()
    opening.stage = .opening
    #expect(opening.state(status).phase == .starting)
  }

  @Test("has the session's counts: for the stream, for the take, and lost frames by stage")
  func counts() {
    var status = status(.recording)
    status.takeNumber = 3
    status.framesPerSecond = 239.5
    for record in [
      RingRecord(kind: .frame, sequence: 0, timestampNanoseconds: 0),
      RingRecord(kind: .lostInRing, sequence: 1, count: 4, timestampNanoseconds: 1),
      RingRecord(kind: .lostCorrupt, sequence: 5, count: 2, timestampNanoseconds: 2),
      RingRecord(kind: .frame, sequence: 10, timestampNanoseconds: 3),
    ] { status.frames.enter(record) }
    var accounting = FrameAccounting()
    accounting.enterWritten(sequence: 0, at: Instant(nanoseconds: 0))
    accounting.enterLost(sequence: 1, count: 4, at: .ring)
    accounting.enterLost(sequence: 5, count: 2, at: .corrupt)
    var take = SessionStatus.TakeStatus(frames: Take.FrameCounts(accounting))
    (take.duration, take.bytesWritten) = (.seconds(2), 500)
    status.take = take

    var model = model()
    model.triggers = [3: "motion"]
    let state = model.state(status)
    #expect(state.framesLost == 9 && status.frames.lost.driver == 3)
    #expect(state.take?.number == 3 && state.take?.trigger == "motion" && state.take?.kind == .take)
    #expect(state.take?.written == 1 && state.take?.lost == 6 && state.take?.bytes == 500)
    #expect(state.take?.duration == .seconds(2) && state.measuredFramesPerSecond == 239.5)
    #expect(state.ringFill == 0.25 && state.ringSeconds == 4)
  }

  @Test("has the review until it ends, and the parts saved from it")
  func review() {
    var status = status(.reviewing)
    status.reviewCount = 2
    var review = SessionStatus.ReviewStatus(trigger: Instant(nanoseconds: 50))
    (review.count, review.lost, review.triggerIndex) = (10, 3, 4)
    (review.first, review.last) = (Instant(nanoseconds: 0), Instant(nanoseconds: 100))
    status.review = review

    var model = model()
    model.formerReviews = 5
    let part = StudioState.Review.Part(first: 1, last: 2)
    model.saveWishes = [StudioSave(part: part)]
    #expect(model.state(status).phase == .saving)
    (model.saveWishes, model.saved) = ([], [part])
    let state = model.state(status)
    #expect(state.phase == .reviewing && state.review?.id == 7 && state.review?.frames == 10)
    #expect(state.review?.lost == 3 && state.review?.trigger == 4 && state.review?.saved == [part])
    #expect(state.review?.duration == .nanoseconds(100))
    model.reviewLetGo = 2
    #expect(model.state(status).phase == .starting && model.state(status).review == nil)
  }

  @Test(
    "knows whether memory ended a review, and whether Record began it",
    arguments: [
      // Neither the end of its length nor a stop came before memory was full.
      (StudioModel.Start(isRecord: true), 800, true),
      (StudioModel.Start(isRecord: true, isStopped: true), 800, false),
      (StudioModel.Start(isRecord: true), 300, false),
      (StudioModel.Start(length: .seconds(10)), 800, true),
      // One frame is missing from its length, as always.
      (StudioModel.Start(length: .milliseconds(504)), 800, false),
    ])
  func endOfReview(_ start: StudioModel.Start, _ fill: Int, _ isFull: Bool) {
    var status = status(.reviewing)
    status.reviewCount = 1
    status.ring = SessionStatus.RingStatus(capacity: 1000, fillBytes: fill)
    var review = SessionStatus.ReviewStatus(trigger: Instant(nanoseconds: 0))
    (review.count, review.triggerIndex) = (121, 0)
    (review.first, review.last) = (Instant(nanoseconds: 0), Instant(nanoseconds: 500_000_000))
    status.review = review
    var model = model()
    model.newestStart = start
    let state = model.state(status).review
    #expect(state?.isMemoryFull == isFull)
    #expect(state?.trigger == (start.isRecord ? nil : 0))
  }

  @Test("names each of several cameras and its problem, and that one is lost")
  func members() {
    func member(_ letter: String) -> StudioModel.Member {
      StudioModel.Member(
        letter: letter, session: nil,
        camera: StudioState.Camera(
          id: "sim:\(letter)", name: letter, mode: StudioMode(Self.mode), turn: .none))
    }
    var model = model()
    model.members = [member("A"), member("B")]
    #expect(model.state().camera?.id == "sim:A" && !model.hasLost)
    let problem = StudioError(.refused, "It was unplugged.")
    model.update("A") { $0.problem = problem }
    model.lead = "B"
    let state = model.state()
    #expect(state.cameras.map(\.letter) == ["A", "B"] && state.cameras.map(\.problem) == [problem, nil])
    #expect(state.camera?.id == "sim:B" && model.hasLost)
    // While they are opened anew, a page still shows them.
    model.forgetCamera()
    #expect(model.state().camera?.id == "sim:A" && model.state().cameras.count == 2 && !model.hasLost)
  }

  @Test("requests cameras by their places")
  func places() {
    var wish = StudioOptions(cameras: ["a"], further: [StudioOptions.Camera(name: "b")]).wish
    #expect(wish[0].id == nil && wish[1].id == "b")
    wish[1] = ("c", .rate(60))
    wish[0] = ("d", nil)
    #expect(wish.id == "d" && wish.further.map(\.camera.name) == ["c"] && wish[1].mode == .rate(60))
    wish[1] = (nil, nil)
    #expect(wish[1].id == "c" && wish[1].mode == nil)
  }

  @Test("lists cameras in words")
  func words() {
    #expect(Studio.words(of: ["B"]) == "camera B alone")
    #expect(Studio.words(of: ["A", "B"]) == "cameras A and B")
    #expect(Studio.words(of: ["A", "B", "C"]) == "cameras A, B and C")
  }
}
