import CameraModel
import Cameras
import Dispatch
import Media
import Takes
import Testing
import Timebase

@testable import Capture

@Suite("An output that is slow to open")
struct OutputOpenerTests {
  /// An output that keeps what was written to it.
  private final class Noted: TakeOutput, @unchecked Sendable {
    // Unchecked: the test reads it only after the last write.
    var bytesWritten: Int64 = 0
    var sequences: [UInt32] = []
    var lost: [UInt32] = []

    func write(
      _ frame: UnsafeRawBufferPointer, sequence: UInt32, timestampNanoseconds: Int64,
      isTimedAtDequeue: Bool
    ) {
      sequences.append(sequence)
    }

    func noteLost(sequence: UInt32, count: UInt32, at stage: LossStage) {
      lost += sequence..<sequence + count
    }
  }

  private let context = TakeContext(
    number: 1, camera: "none",
    mode: Mode(fourcc: "GREY", width: 10, height: 10, interval: FrameInterval(1, 100)),
    configuration: StreamConfiguration(
      FrameFormat(.grey, width: 10, height: 10, acceptedInterval: FrameInterval(1, 100), clock: .monotonic),
      largestFrame: 100, bufferCount: 4))

  @Test("blocks no caller, and receives the losses that occurred meanwhile")
  func slow() throws {
    let (gate, output) = (DispatchSemaphore(value: 0), Noted())
    let opener = OutputOpener { _ in
      gate.wait()
      return output
    }
    var writer = TakeWriter(opener.open(context))
    let isReadyTooEarly = writer.isReady(forBytes: 100)
    #expect(!isReadyTooEarly)
    writer.enterLost(RingRecord(kind: .lostInRing, sequence: 3, count: 2, timestampNanoseconds: 0))
    gate.signal()
    opener.join()
    let isReady = writer.isReady(forBytes: 100)
    #expect(isReady)
    writer.write(
      UnsafeRawBufferPointer(start: nil, count: 0),
      RingRecord(kind: .frame, sequence: 5, timestampNanoseconds: 10))
    #expect(output.lost == [3, 4])
    #expect(output.sequences == [5])
    #expect(writer.accounting.ledger.total == 2)
  }

  @Test("ends the take with the reason if opening fails")
  func failing() {
    let opener = OutputOpener { (_) throws(CaptureError) in throw .empty }
    let opening = opener.open(context)
    opener.join()
    #expect(opening.failure == .empty)
    var writer = TakeWriter(opening)
    let isReady = writer.isReady(forBytes: 100)
    #expect(isReady)
    #expect(writer.openFailure == .empty)
  }
}
