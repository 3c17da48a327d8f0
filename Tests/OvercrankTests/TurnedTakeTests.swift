import CameraModel
import Capture
import FrameJudge
import Foundation
import Overcrank
import Platform
import Retime
import SystemPackage
import Takes
import Testing
import Timebase

@Suite("Takes with a rotation", .tags(.program), .timeLimit(.minutes(1)))
struct TurnedTakeTests {
  @Test("have rotated clips, during the recording and later, and a master as the camera sent it")
  func take() async throws {
    let folder = try TemporaryFolder()
    let clip = folder.path("x.mp4")
    var request = RecordRequest(
      rate: .rate(FrameRate(whole: 240)), plan: SessionPlan(limit: RecordingLimit(frames: 24)),
      output: FilePath(clip))
    request.turn = PictureTurn(degrees: 90, isMirrored: true)
    let recorder = try TakeRecorder(CaptureDevice(named: SmallCamera.inVirtualTime()), request)
    try recorder.start()
    let recording = try await recorder.finish()
    let take = try #require(recording.takes.first)
    #expect(take.take.turn == PictureTurn(degrees: 90, isMirrored: true))
    #expect(try #require(try Take.read(from: take.files.take)).turn == request.turn)
    let shown = try #require(try Probe(clip).streams.first)
    #expect((shown.width, shown.height) == (180, 320))
    let lies = try #require(try Probe(take.files.master.string).streams.first)
    #expect((lies.width, lies.height) == (320, 180))

    // Stills from it are rotated too, small or not.
    let entry = try #require(try await TakeLibrary(FilePath(folder.url.path)).entries().first)
    var pictures = try TakePictures(entry)
    let small = try pictures.picture(3, fitting: 128)
    #expect((small.width, small.height) == (72, 128))
    let still = folder.path("still.png")
    try Data(try pictures.still(3, as: .png)).write(to: URL(filePath: still))
    let turned = try #require(try Probe(still).streams.first)
    #expect((turned.width, turned.height) == (180, 320))

    let later = folder.path("later.mp4")
    let video = try SourceVideo(take.files.master)
    _ = try await ClipMaker.make(video.source, to: FilePath(later), spec: ClipSpec())
    let again = try #require(try Probe(later).streams.first)
    #expect((again.width, again.height) == (180, 320))
  }

  @Test("are cropped as shown: a crop beyond the picture is refused before the recording")
  func crop() throws {
    let folder = try TemporaryFolder()
    var request = RecordRequest(
      rate: .rate(FrameRate(whole: 240)), plan: SessionPlan(limit: RecordingLimit(frames: 24)),
      output: FilePath(folder.path("x.mp4")))
    request.criteria.maxWidth = 640
    request.clip?.render?.stages[ClipCrop.self] = ClipCrop.centred(width: 640, height: 480)
    _ = try TakeRecorder(CaptureDevice(named: "sim:,clock=virtual"), request)
    request.turn = PictureTurn(degrees: 90)
    #expect(throws: RecordError.self) {
      try TakeRecorder(CaptureDevice(named: "sim:,clock=virtual"), request)
    }
    request.clip?.render?.stages[ClipCrop.self] = ClipCrop.centred(width: 480, height: 640)
    _ = try TakeRecorder(CaptureDevice(named: "sim:,clock=virtual"), request)
  }

  @Test("have previews of the picture's proportions, if the file itself states the rotation")
  func statedByFile() throws {
    let folder = try TemporaryFolder()
    let (flat, turned) = (folder.path("flat.mov"), folder.path("phone.master.mov"))
    try Program.ffmpeg("-f", "lavfi", "-i", "testsrc2=s=96x64:r=30:d=0.1", "-c:v", "mjpeg", "-q:v", "2", flat)
    try Program.ffmpeg("-i", flat, "-c", "copy", "-metadata:s:v", "rotate=90", turned)
    let entry = try #require(TakeLibrary(FilePath(folder.url.path)).entry(at: FilePath(turned)))
    var pictures = try TakePictures(entry)
    for (side, size) in [(48, (32, 48)), (512, (64, 96))] {
      let picture = try pictures.picture(1, fitting: side)
      #expect((picture.width, picture.height) == size)
    }
  }

  @Test("and stills have width and height exchanged")
  func still() throws {
    let folder = try TemporaryFolder()
    let path = FilePath(folder.path("still.jpg"))
    var settings = StillSettings(skippedFrames: 0, output: path)
    settings.turn = PictureTurn(degrees: 270)
    let still = try #require(
      try StillRecorder(CaptureDevice(named: "sim:,clock=virtual"), settings).take().first
    ).still
    #expect(!still.isUntouched)
    #expect(still.size == (1080, 1920))
    let probe = try #require(try Probe(path.string).streams.first)
    #expect((probe.width, probe.height) == (1080, 1920))
  }
}
