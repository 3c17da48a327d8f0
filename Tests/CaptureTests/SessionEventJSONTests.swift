import CameraModel
import Cameras
import Foundation
import Takes
import Testing
import Timebase

@testable import Capture

@Suite("A session event in JSON")
struct SessionEventJSONTests {
  private static let session = SessionConfiguration(
    mode: Mode(fourcc: "GREY", width: 8, height: 8, interval: FrameInterval(1, 240)))

  private static let armed = {
    var status = SessionStatus(configuration: session)
    (status.phase, status.held, status.takeNumber) = (.armed, .seconds(1), 3)
    status.ring = SessionStatus.RingStatus(capacity: 16, fillBytes: 4)
    return status
  }()
  private static let recording = {
    var status = armed
    status.phase = .recording
    var take = SessionStatus.TakeStatus()
    (take.framesPerSecond, take.bytesWritten, take.limitFill) = (239.5, 7, 0.5)
    take.frames.written = 9
    take.frames.lost.ring = 2
    status.take = take
    return status
  }()

  @Test(
    "has the keys of its kind, and null for what is unknown",
    arguments: [
      (.armed(take: 1), #"{"event":"armed","take":1,"time_ns":5}"#),
      (
        .progress(armed),
        #"{"bytes":0,"event":"progress","fps":null,"held_ns":1000000000,"limit_fill":null,"lost":0,"ring_fill":0.25,"take":3,"time_ns":5,"written":0}"#
      ),
      (
        .progress(recording),
        #"{"bytes":7,"event":"progress","fps":239.5,"limit_fill":0.5,"lost":2,"ring_fill":0.25,"take":3,"time_ns":5,"written":9}"#
      ),
      (.takeStarted(take: 2, trigger: nil), #"{"event":"take_started","take":2,"time_ns":5,"trigger":null}"#),
      (.lost(take: 1, frames: 3), #"{"event":"lost","frames":3,"take":1,"time_ns":5}"#),
      (
        .takeEnded(take: 1, .failure(.outOfTriggers)),
        #"{"event":"take_ended","message":"\#(CaptureError.outOfTriggers)","take":1,"time_ns":5}"#
      ),
      (.reviewing(frames: 480), #"{"event":"reviewing","frames":480,"time_ns":5}"#),
      (
        .interruptionEnded(.driverError),
        #"{"event":"interruption_ended","reason":"driver_error","time_ns":5}"#
      ),
    ] as [(SessionEvent.Kind, String)])
  func json(_ kind: SessionEvent.Kind, _ expected: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let event = SessionEvent(kind, at: Instant(nanoseconds: 5))
    #expect(String(decoding: try encoder.encode(event), as: UTF8.self) == expected)
  }
}
