import CameraModel
import Cameras
import Foundation
import SystemPackage
import Takes
import Testing
import Timebase

@testable import Overcrank

@Suite("The files of an export to another program")
struct ExportFormTests {
  /// A camera whose frames have these numbers and milliseconds.
  private static func camera(
    _ name: String, _ frames: [(sequence: UInt32, milliseconds: Int64)], offset: Duration = .zero,
    rate: Double = 0
  ) -> FormCamera {
    var accounting = FrameAccounting()
    for frame in frames {
      accounting.enterWritten(
        sequence: frame.sequence, at: Instant(nanoseconds: 1_000_000_000 + frame.milliseconds * 1_000_000))
    }
    let mode = Mode(fourcc: "MJPG", width: 320, height: 180, interval: FrameInterval(1, 100))
    let metadata = TakeMetadata(
      camera: CameraIdentity(name: "sim:", table: CameraTable(card: "A \"small\" one", rows: [])), mode: mode,
      asked: nil, started: Date(timeIntervalSince1970: 1_767_225_600), version: "1", requestedMode: nil,
      refused: [],
      turn: nil, quality: nil, sizeLimit: nil, label: nil, wantedClip: nil)
    let take = Take(
      accounting, metadata: metadata, acceptedInterval: FrameInterval(1, 100), clock: .monotonic,
      master: "jump-\(name).master.mov")
    return FormCamera(
      place: TakeGroup.Camera(
        name: name, take: "jump-\(name).take.json", offset: offset, ratePartsPerMillion: rate),
      number: name == "A" ? 0 : 1, take: take, master: FilePath("jump-\(name).master.mov"))
  }

  /// Frames 0, 1 and 4 of camera A; two frames of camera B, which begins 1.5 ms earlier and runs slow.
  private static let cameras = [
    camera("A", [(0, 0), (1, 10), (4, 40)]),
    camera("B", [(7, 0), (8, 10)], offset: .microseconds(-1500), rate: 1000),
  ]

  private func bytes(_ pieces: some Sequence<[UInt8]>) -> [UInt8] { pieces.flatMap { $0 } }

  private func text(_ pieces: some Sequence<[UInt8]>) -> String {
    String(decoding: bytes(pieces), as: UTF8.self)
  }

  private func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { String(format: "%02x", $0) }.joined()
  }

  @Test("is a table with a row for each frame, at its time on the clock of the group")
  func table() {
    let table = FrameTable.pieces(Self.cameras.map { ($0, $0.master.string) })
    #expect(
      text(table) == """
        camera,frame,sequence,time_ns,stamp_ns,lost_before,video
        A,0,0,0,1000000000,0,jump-A.master.mov
        A,1,1,10000000,1010000000,0,jump-A.master.mov
        A,2,4,40000000,1040000000,2,jump-A.master.mov
        B,0,7,-1500000,1000000000,0,jump-B.master.mov
        B,1,8,8510000,1010000000,0,jump-B.master.mov

        """)
    #expect(FrameTable.field("a,\"b\"") == "\"a,\"\"b\"\"\"" && FrameTable.field("a b") == "a b")
  }

  @Test("has campy's numbers and times as NumPy writes them")
  func numpy() {
    let array = bytes(CampyForm.array(of: Self.cameras[1]))
    // numpy.save of numpy.array([[1, 2], [-0.0015, 0.00851]]).
    let header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }"
    let spaces = String(repeating: " ", count: 117 - header.utf8.count)
    let head = [UInt8]("NUMPY\u{1}\u{0}v\u{0}\(header)\(spaces)\n".utf8)
    #expect(array[0] == 0x93 && [UInt8](array[1..<128]) == head)
    #expect(
      hex(array.dropFirst(128)) == "000000000000f03f0000000000000040fa7e6abc749358bf76fd82ddb06d813f")
  }

  @Test("has campy's numbers and times as SciPy writes them for MATLAB")
  func matlab() {
    let file = bytes(CampyForm.matrices(of: Self.cameras[1]))
    #expect(
      file.starts(with: "MATLAB 5.0 MAT-file".utf8) && hex(file[116..<128]) == "00000000000000000001494d")
    // scipy.io.savemat of {"frameNumber": [1, 2], "timeStamp": [-0.0015, 0.00851]}.
    #expect(
      hex(file.dropFirst(128)) == """
        0e0000005000000006000000080000000e0000000000000005000000080000000100000002000000010000000b000000\
        6672616d654e756d62657200000000000c00000010000000010000000000000002000000000000000e00000050000000\
        0600000008000000060000000000000005000000080000000100000002000000010000000900000074696d655374616d\
        70000000000000000900000010000000fa7e6abc749358bf76fd82ddb06d813f
        """)
  }

  @Test("has campy's facts, quoted as Python quotes them", arguments: [false, true])
  func metadata(_ isTurned: Bool) {
    let size = isTurned ? (width: 180, height: 320) : nil
    #expect(
      CampyForm.metadata(of: Self.cameras[1], name: "Camera2", video: "0.mp4", size: size)
        == [
          #""cameraName","Camera2""#, #""cameraModel","A ""small"" one""#, #""overcrankCamera","B""#,
          #""videoFilename","0.mp4""#, #""frameRate","100.0""#, "\"frameWidth\",\"\(isTurned ? 180 : 320)\"",
          "\"frameHeight\",\"\(isTurned ? 320 : 180)\"",
          #""codec","mjpg""#, #""totalFrames","2""#, #""totalTime","0.00851""#, "",
        ].joined(separator: "\r\n"))
  }

  @Test("has the times of the Miniscope software, to the microsecond")
  func miniscope() throws {
    #expect(
      text(MiniscopeForm.times(of: Self.cameras[1])) == """
        Frame Number,Time Stamp (ms),Buffer Index
        0,-1.5,0
        1,8.51,0

        """)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 3600))
    let facts = MiniscopeForm.Recording(Self.cameras, directory: "/data/jump", in: calendar)
    #expect(
      String(decoding: try MiniscopeForm.text(facts), as: UTF8.self) == """
        {
          "animalName" : "",
          "baseDirectory" : "/data/jump",
          "cameras" : [
            "A",
            "B"
          ],
          "experimentName" : "jump",
          "miniscopes" : [

          ],
          "recordingStartTime" : {
            "day" : 1,
            "hour" : 1,
            "minute" : 0,
            "month" : 1,
            "msec" : 0,
            "msecSinceEpoch" : 1767225600000,
            "second" : 0,
            "year" : 2026
          },
          "researcherName" : ""
        }

        """)
    let device = try JSONSerialization.jsonObject(
      with: Data(MiniscopeForm.text(MiniscopeForm.Device(Self.cameras[1], directory: "/data/jump/B"))))
    let keys = try #require(device as? [String: Any])
    #expect(keys["deviceName"] as? String == "B" && keys["deviceID"] as? Int == 1)
    #expect(keys["framesPerFile"] as? Int == 1000 && keys["compression"] as? String == "MJPG")
  }

  @Test("warns of frames of one number that are not simultaneous, which Anipose takes as such")
  func anipose() throws {
    #expect(AniposeForm.warning(Self.cameras) == nil)
    let late = Self.camera("B", [(0, 0), (1, 10), (2, 20)])
    let words = try #require(AniposeForm.warning([Self.cameras[0], late]))
    #expect(words.contains("frame 2 of camera B was captured 20 ms before that of A"), "\(words)")
  }

  @Test("shows frames at the rate that the driver accepted, if they came at that rate")
  func rate() {
    #expect(Self.cameras[0].rate == Fraction(100))
    let halved = Self.camera("A", (0..<10).map { (UInt32($0), Int64($0) * 20) })
    #expect(halved.rate == Fraction(50))
  }
}
