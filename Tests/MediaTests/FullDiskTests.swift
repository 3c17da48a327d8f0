import FrameJudge
import Platform
import SystemPackage
import Testing

@testable import Media

@Suite(
  .tags(.program), .timeLimit(.minutes(1)),
  .enabled(if: SmallDisk.isPossible, "mounting a small disk requires root"))
struct FullDiskTests {
  @Test(arguments: [
    (Container.mov, VideoCodec.mjpeg, 30_000, false), (.mov, .mjpeg, 30_000, true),
    (.mov, .mjpeg, 300, false),
    (.nut, .raw(.nv12), 64 * 48 * 3 / 2, true), (.mkv, .mjpeg, 30_000, false),
  ])
  func fullDiskLeavesAWholeFileOfTheFramesBefore(
    container: Container, codec: VideoCodec, frameSize: Int, hasJournal: Bool
  ) throws {
    let disk = try #require(try SmallDisk(bytes: 3 << 20))
    let path = disk.path("a.\(container.fileExtension)")
    var file = try OutputFile(FilePath(path))
    let journal = hasJournal ? try file.startJournal([1, 2, 3]) : nil
    var muxer = try Muxer(
      to: file, container: container, video: VideoTrack(codec: codec, width: 64, height: 48),
      timescale: 1_000_000)
    let frame = noise(frameSize, seed: 1)
    var written = 0
    var failure: OvercrankError?
    while failure == nil {
      do throws(OvercrankError) {
        try muxer.write(frame, timestamp: Int64(written) * 4167, duration: 4167)
        written += 1
        try journal?.enter([UInt8(truncatingIfNeeded: written)])
      } catch {
        failure = error
      }
    }
    #expect(failure?.code == .inputOutput)
    #expect(failure?.description.contains("The disk is full") == true)
    #expect(failure?.description.contains("B are free there") == true)
    // Nearly all of the disk was used before the error.
    #expect(written * frameSize > 2 << 20)

    try muxer.finish()
    #expect(try disk.names == ["a.\(container.fileExtension)"])
    #expect(try Probe(path).packets.count == written)
  }

  @Test func fullDiskAtTheStartIsSaidToBeFull() throws {
    let disk = try #require(try SmallDisk(bytes: 64 << 10))
    var filler = try OutputFile(FilePath(disk.path("filler")))
    try filler.reserve(64 << 10)
    var failure: OvercrankError?
    let file = try OutputFile(FilePath(disk.path("a.mov")))
    do throws(OvercrankError) {
      _ = try Muxer(
        to: file, container: .mov,
        video: VideoTrack(codec: .mjpeg, width: 64, height: 48), timescale: 1_000_000)
    } catch {
      failure = error
    }
    #expect(failure?.code == .inputOutput)
    #expect(try disk.names == ["filler.part"])
  }
}
