import FrameJudge
import Foundation
import Simulator
import Takes
import Testing

/// The entries that a fault of the simulated camera must leave in the ledger.
struct FaultCase: Sendable, CustomTestStringConvertible {
  var fault: String
  var losses: [Loss]
  var testDescription: String { fault.isEmpty ? "no fault" : fault }

  static let all: [FaultCase] = [
    FaultCase(fault: "", losses: []),
    FaultCase(
      fault: "drop=100-109+200",
      losses: [Loss(sequence: 100, count: 10, stage: .driver), Loss(sequence: 200, count: 1, stage: .driver)]),
    FaultCase(
      fault: "corrupt=50+60-62",
      losses: [Loss(sequence: 50, count: 1, stage: .corrupt), Loss(sequence: 60, count: 3, stage: .corrupt)]),
    FaultCase(fault: "flagged=7-9", losses: [Loss(sequence: 7, count: 3, stage: .corrupt)]),
    FaultCase(fault: "huffman=missing", losses: []),
    FaultCase(fault: "jitter=2ms,seed=3", losses: []),
    FaultCase(fault: "rate=60", losses: []),
    FaultCase(fault: "stall=500ms@30", losses: []),
  ]
}

@Suite("Recording the simulated camera from the command line", .tags(.program), .timeLimit(.minutes(1)))
struct FaultLedgerTests {
  @Test(
    "the ledger names exactly the frames that a fault removed, and pixels agree", arguments: FaultCase.all)
  func faults(_ item: FaultCase) throws {
    let folder = try TemporaryFolder()
    let run = try OvercrankProgram(
      "record", SmallCamera.inVirtualTime(item.fault), "--fps", "120", "--frames", "240", "--no-clip", "-o",
      folder.path("x.mp4"))
    #expect(run.status == 0, "\(run.errors)")

    let take = try folder.take()
    #expect(take.frames.written == 240)
    #expect(take.frames.sent == take.frames.written + take.frames.lost.total)
    #expect(take.losses == item.losses)
    let lost = Set(take.losses.flatMap { Array($0.sequence..<$0.sequence + $0.count) })
    let first = min(try #require(take.sequences.first), lost.min() ?? .max)
    #expect(Set(take.sequences).isDisjoint(with: lost))
    #expect(Set(take.sequences).union(lost) == Set(first..<first + take.frames.sent))
    #expect(take.timestamps.count == 240)
    #expect(zip(take.timestamps, take.timestamps.dropFirst()).allSatisfy { $0 < $1 })

    #expect(try StripVideo(folder.path("x.master.mov")).numbers == take.sequences.map { UInt32($0) })
    // An unknown value is null, and its key is present.
    let json = try String(contentsOfFile: folder.path("x.take.json"), encoding: .utf8)
    #expect(json.contains("\"master\":\"x.master.mov\""))
    #expect(json.contains("\"failure\":null"))
  }

  @Test("raw frames reach the master unchanged too")
  func raw() throws {
    let folder = try TemporaryFolder()
    let run = try OvercrankProgram(
      "record", SmallCamera.inVirtualTime("flagged=20"), "--format", "YUYV", "--fps", "120", "--frames", "60",
      "--no-clip", "-o",
      folder.path("x.mp4"))
    #expect(run.status == 0, "\(run.errors)")
    let take = try folder.take()
    #expect(take.losses == [Loss(sequence: 20, count: 1, stage: .corrupt)])
    #expect(try StripVideo(folder.path("x.master.mov")).numbers == take.sequences.map { UInt32($0) })
  }

  @Test("a camera that is unplugged leaves a complete take and exit code 74")
  func disconnect() throws {
    let folder = try TemporaryFolder()
    let run = try OvercrankProgram(
      "record", SmallCamera.inVirtualTime("disconnect=100"), "--frames", "480", "--no-clip", "-o",
      folder.path("x.mp4"))
    #expect(run.status == 74)
    #expect(run.errors.contains("unplugged"))
    let take = try folder.take()
    #expect(take.frames.sent == 100)
    #expect(take.failure?.contains("unplugged") == true)
    #expect(try StripVideo(folder.path("x.master.mov")).numbers == take.sequences.map { UInt32($0) })
    #expect(try folder.names == ["x.master.mov", "x.take.json"])
  }

  @Test("--strict turns loss into exit code 4, and still leaves the take")
  func strict() throws {
    let folder = try TemporaryFolder()
    let run = try OvercrankProgram(
      "record", SmallCamera.inVirtualTime("drop=10"), "--frames", "50", "--strict", "--no-clip", "-o",
      folder.path("x.mp4"))
    #expect(run.status == 4)
    #expect(run.output.contains("lost"))
    #expect(try folder.take().frames.written == 50)
  }

  @Test(
    "Ctrl-C, a hang-up and the end of a service complete the take",
    arguments: [SIGINT, SIGTERM, SIGHUP])
  func signals(_ number: Int32) throws {
    let folder = try TemporaryFolder()
    let run = try OvercrankProgram(
      ["record", SmallCamera.inVirtualTime(), "--no-clip", "-o", folder.path("x.mp4")],
      whileRunning: { process in
        // Once a few frames are in the file, however slow the machine.
        let part = folder.path("x.master.mov.part")
        while process.isRunning, (try? Data(contentsOf: URL(filePath: part)).count) ?? 0 < 1 << 20 {
          usleep(20_000)
        }
        kill(process.processIdentifier, number)
      })
    #expect(run.status == 0, "\(run.errors)")
    let take = try folder.take()
    #expect(take.frames.written > 0)
    #expect(take.frames.sent == take.frames.written + take.frames.lost.total)
    #expect(try StripVideo(folder.path("x.master.mov")).numbers == take.sequences.map { UInt32($0) })
  }

  @Test(
    "frames sent while the program was stopped are lost in the driver, and the pixels agree",
    .tags(.realTime))
  func stopped() throws {
    let folder = try TemporaryFolder()
    let run = try OvercrankProgram(
      ["record", SmallCamera.inRealTime(), "--fps", "240", "--no-clip", "-o", folder.path("x.mp4")],
      whileRunning: { process in
        folder.waitForVideo(of: process)
        kill(process.processIdentifier, SIGSTOP)
        sleep(1)
        kill(process.processIdentifier, SIGCONT)
        folder.waitForVideo(of: process)
        kill(process.processIdentifier, SIGINT)
      })
    #expect(run.status == 0, "\(run.errors)")
    let take = try folder.take()
    checkTruth(take)
    // The sensor went on at 240 fps for at least a second, and the driver has 16 buffers.
    #expect(take.losses.contains { $0.stage == .driver && $0.count > 200 }, "\(take.losses)")
    #expect(take.frames.lost.corrupt == 0)
    #expect(take.timedAtDequeue.isEmpty)
    #expect(try StripVideo(folder.path("x.master.mov")).numbers == take.sequences.map { UInt32($0) })
  }

  @Test("--reconnect continues in new takes until all the requested frames are recorded")
  func reconnect() throws {
    let folder = try TemporaryFolder()
    try Data().write(to: folder.url.appending(path: "x-2.mp4"))
    let run = try OvercrankProgram(
      "record", SmallCamera.inVirtualTime("disconnect=50"), "--fps", "120", "--frames", "120",
      "--reconnect", "--no-clip", "-o", folder.path("x.mp4"))
    #expect(run.status == 0, "\(run.errors)")
    // An existing name is skipped.
    let clips = try folder.names.filter { $0.hasSuffix(".take.json") }.map { $0.dropLast(".take.json".count) }
    #expect(Set(clips).isSuperset(of: ["x", "x-3", "x-4"]) && !clips.contains("x-2"))
    var written: Int64 = 0
    for clip in clips {
      let take = try folder.take(String(clip))
      checkTruth(take)
      written += take.frames.written
      let numbers = try StripVideo(folder.path("\(clip).master.mov")).numbers
      #expect(numbers == take.sequences.map { UInt32($0) })
    }
    #expect(written == 120)
  }

  // In virtual time, the first records as much as it can until it is stopped, and all of it is decoded.
  @Test("of two recordings to one file, the second is refused and the first is undisturbed", .tags(.realTime))
  func sameFile() throws {
    let folder = try TemporaryFolder()
    let first = try OvercrankProgram(
      ["record", SmallCamera.inRealTime(), "--no-clip", "-o", folder.path("x.mp4")],
      whileRunning: { process in
        folder.waitForVideo(of: process)
        for options in [[], ["--force"]] {
          let second = try OvercrankProgram(
            ["record", SmallCamera.inVirtualTime(), "--frames", "5", "--no-clip", "-o", folder.path("x.mp4")]
              + options)
          #expect(second.status == 75)
          #expect(second.errors.contains("x.master.mov"), "\(second.errors)")
        }
        folder.waitForVideo(of: process)
        kill(process.processIdentifier, SIGINT)
      })
    #expect(first.status == 0, "\(first.errors)")
    let take = try folder.take()
    checkTruth(take)
    #expect(try StripVideo(folder.path("x.master.mov")).numbers == take.sequences.map { UInt32($0) })
    #expect(try folder.names == ["x.master.mov", "x.take.json"])
  }

  @Test("JPEGs without Huffman tables are in the master unchanged, byte for byte")
  func untouched() throws {
    let folder = try TemporaryFolder()
    let run = try OvercrankProgram(
      "record", SmallCamera.inVirtualTime("huffman=missing,corrupt=5"), "--format", "mjpeg", "--frames", "12",
      "--no-clip", "-o", folder.path("x.mp4"))
    #expect(run.status == 0, "\(run.errors)")
    try Program.ffmpeg("-i", folder.path("x.master.mov"), "-c", "copy", "-f", "mjpeg", folder.path("x.mjpeg"))
    var picture = try SimulatedPicture(format: .mjpeg, width: 320, height: 180, huffmanTables: false)
    var sent: [UInt8] = []
    for number in try folder.take().sequences {
      picture.compose(frame: UInt32(number)) { span in sent += span.indices.map { span[$0] } }
    }
    let master = try [UInt8](Data(contentsOf: folder.url.appending(path: "x.mjpeg")))
    #expect(master == sent)
  }

  @Test("a line on standard input ends an open-ended take")
  func enter() throws {
    let folder = try TemporaryFolder()
    let run = try OvercrankProgram(
      ["record", SmallCamera.inVirtualTime(), "--no-clip", "-o", folder.path("x.mp4")], input: Data("\n".utf8)
    )
    // Enter may come before the first frame: then there is no take, and no file is left.
    #expect(run.status == 0 || run.status == 130)
    #expect(try folder.names == (run.status == 0 ? ["x.master.mov", "x.take.json"] : []))
  }
}
