import Platform
import CameraModel
import Cameras
import Media
import Testing

@testable import Simulator

@Suite struct SimulatedPictureTests {
  static let wholeStripSizes = [
    Size(256, 64), Size(256, 200), Size(320, 180), Size(640, 480), Size(257, 99), Size(331, 203),
    Size(520, 130),
  ]
  static let smallSizes = [
    Size(1, 1), Size(2, 2), Size(7, 9), Size(8, 8), Size(16, 16), Size(33, 5), Size(160, 120), Size(48, 200),
    Size(3, 90), Size(20, 150),
    Size(600, 4),
  ]

  @Test(arguments: SimulatedPicture.formats, wholeStripSizes)
  func everyFrameCarriesItsNumber(format: PixelFormat, size: Size) throws {
    var picture = try SimulatedPicture(format: format, width: size.width, height: size.height)
    for number: UInt32 in [0, 1, 59, 60, 0xab_cdef, 0xff_ffff, 0x100_0005, .max] {
      let luma = try LumaPicture(
        frame: picture.bytes(of: number), format: format, width: size.width, height: size.height)
      #expect(luma.width == size.width && luma.height == size.height)
      #expect(luma.stripNumber == number & 0xff_ffff)
    }
  }

  @Test(arguments: [PixelFormat.mjpeg, .yuyv, .grey])
  func cellsAreAsWhiteAndAsBlackAsTheyShouldBe(format: PixelFormat) throws {
    var picture = try SimulatedPicture(format: format, width: 256, height: 96)
    let number: UInt32 = 0xa5_c371
    let luma = try LumaPicture(frame: picture.bytes(of: number), format: format, width: 256, height: 96)
    for pixel in 0..<256 {
      let isWhite = FrameStrip.word(number: number) >> UInt32(31 - pixel / 8) & 1 != 0
      for row in 0..<8 {
        #expect(abs(Int(luma.samples[row * 256 + pixel]) - (isWhite ? 235 : 16)) <= 1)
      }
    }
  }

  @Test(arguments: [PixelFormat.mjpeg, .uyvy], [Size(640, 480), Size(1280, 720), Size(400, 200)])
  func theDigitsShowTheNumber(format: PixelFormat, size: Size) throws {
    var picture = try SimulatedPicture(format: format, width: size.width, height: size.height)
    let luma = try LumaPicture(
      frame: picture.bytes(of: 90_735_182), format: format, width: size.width, height: size.height)
    // Dots of 8 pixels, of 16 from 1280 on; one dot of margin at the left and above, six dots for a digit.
    let dot = size.width / 640 * 8 + (size.width < 640 ? 8 : 0)
    let top = FrameStrip.cellSize(width: size.width) + dot
    let digits = [9, 0, 7, 3, 5, 1, 8, 2].suffix(min(8, (size.width / dot - 1) / 6))
    for (place, digit) in digits.enumerated() {
      for row in 0..<7 {
        for column in 0..<5 {
          let (x, y) = (dot + (place * 6 + column) * dot + dot / 2, top + row * dot + dot / 2)
          let isLit = DotFont.dots(digit: digit, row: row) >> UInt8(4 - column) & 1 != 0
          #expect(abs(Int(luma.samples[y * size.width + x]) - (isLit ? 235 : 28)) <= 1)
        }
      }
    }
  }

  @Test(arguments: SimulatedPicture.formats, smallSizes)
  func framesTooSmallForTheStripAreWholeAllTheSame(format: PixelFormat, size: Size) throws {
    var picture = try SimulatedPicture(format: format, width: size.width, height: size.height)
    for number: UInt32 in [0, 33, .max] {
      let bytes = picture.bytes(of: number)
      #expect(bytes.count <= picture.largestFrame)
      let luma = try LumaPicture(frame: bytes, format: format, width: size.width, height: size.height)
      #expect(luma.width == size.width && luma.height == size.height)
    }
  }

  @Test(arguments: [
    (PixelFormat.yuyv, 5 * 4 * 6), (.uyvy, 5 * 4 * 6), (.nv12, 9 * 6 + 10 * 3), (.yuv420, 9 * 6 + 10 * 3),
    (.rgb24, 9 * 6 * 3), (.bgr24, 9 * 6 * 3), (.grey, 9 * 6),
  ])
  func rawFramesHaveTheSizeOfTheirFormat(format: PixelFormat, byteCount: Int) throws {
    var picture = try SimulatedPicture(format: format, width: 9, height: 6)
    #expect(picture.largestFrame == byteCount)
    #expect(picture.bytes(of: 3).count == byteCount)
  }

  @Test(arguments: [PixelFormat.mjpeg, .yuyv])
  func theSceneMovesEveryFrameAndComesBackAfterATurn(format: PixelFormat) throws {
    var picture = try SimulatedPicture(format: format, width: 320, height: 240)
    let below = FrameCounterOverlay(width: 320, height: 240).height
    let scenes = try [0, 1, 2, 30, 59, 60, 61].map { number in
      try LumaPicture(frame: picture.bytes(of: number), format: format, width: 320, height: 240).below(below)
    }
    #expect(scenes[0] == scenes[5])
    #expect(scenes[1] == scenes[6])
    for (index, scene) in scenes[..<5].enumerated() {
      for other in scenes[..<index] { #expect(scene != other) }
    }
  }

  @Test func whatMovesLeavesNoTrail() throws {
    let scene = try Scene(width: 320, height: 240, model: .limitedRange)
    var (moved, fresh) = (scene.still(), scene.still())
    for step in 0...30 { scene.draw(step: step, on: &moved) }
    scene.draw(step: 30, on: &fresh)
    #expect(moved.pixels == fresh.pixels)
  }

  @Test func everyFormatShowsTheSameScene() throws {
    let pictures = try SimulatedPicture.formats.filter { $0 != .rgb24 && $0 != .bgr24 }.map { format in
      var picture = try SimulatedPicture(format: format, width: 320, height: 240)
      return try LumaPicture(frame: picture.bytes(of: 17), format: format, width: 320, height: 240)
    }
    let reference = pictures[1]
    for picture in pictures {
      let difference = zip(picture.samples, reference.samples).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
      // JPEG's full range and its losses change a few levels.
      #expect(difference / picture.samples.count < 16)
    }
  }

  @Test func blueAndRedAreNotMistakenForEachOther() throws {
    var rgb = try SimulatedPicture(format: .rgb24, width: 320, height: 240)
    var bgr = try SimulatedPicture(format: .bgr24, width: 320, height: 240)
    let (first, second) = (rgb.bytes(of: 0), bgr.bytes(of: 0))
    let swapped = second.indices.map { second[$0 / 3 * 3 + 2 - $0 % 3] }
    #expect(first == swapped)
    #expect(first != second)
    // The marked part of the wheel's rim is red and is at the top at frame 0.
    let wheel = try #require(try Scene(width: 320, height: 240, model: .rgb).wheel?.area)
    let rim = (wheel.rows.lowerBound + 2) * 320 + wheel.columns.lowerBound + wheel.columns.count / 2
    #expect(first[rim * 3] > 200 && first[rim * 3 + 2] < 60)
  }

  @Test func chromaIsTakenFromTheScene() throws {
    var picture = try SimulatedPicture(format: .nv12, width: 320, height: 240)
    let bytes = picture.bytes(of: 0)
    let wheel = try #require(try Scene(width: 320, height: 240, model: .limitedRange).wheel?.area)
    let centre = wheel.columns.lowerBound + wheel.columns.count / 2
    let pair = (wheel.rows.lowerBound + 2) / 2 * 160 + centre / 2
    let (blue, red) = (bytes[320 * 240 + pair * 2], bytes[320 * 240 + pair * 2 + 1])
    #expect(blue < 120 && red > 180)
  }

  @Test func aPictureOfSevenTwentyIsAsLargeAsAWebcams() throws {
    var picture = try SimulatedPicture(format: .mjpeg, width: 1280, height: 720)
    for number: UInt32 in [0, 25, 0xff_ffff] {
      let bytes = picture.bytes(of: number)
      #expect((70_000...100_000).contains(bytes.count))
      #expect(try LumaPicture(jpeg: bytes).stripNumber == number)
    }
  }

  @Test func huffmanTablesCanBeMissing() throws {
    for isPresent in [true, false] {
      var picture = try SimulatedPicture(
        format: .mjpeg, width: 320, height: 240, huffmanTables: isPresent)
      let bytes = picture.bytes(of: 5)
      let segments = try #require(BaselineJPEG(bytes)).segments.map(\.marker)
      #expect(segments.contains(.huffmanTables) == isPresent)
      // The decoder uses the standard's tables if there are none, as players do.
      #expect(try LumaPicture(jpeg: bytes).stripNumber == 5)
    }
  }

  @Test func formatsThatCannotBeDrawnAreNamed() throws {
    let format = try #require(PixelFormat(fourcc: "HEVC"))
    let error = #expect(throws: OvercrankError.self) {
      _ = try SimulatedPicture(format: format, width: 640, height: 480).largestFrame
    }
    #expect(error?.code == .noMode)
    #expect(error?.description.contains("HEVC") == true && error?.description.contains("YUYV") == true)
  }

  @Test(arguments: [Size(0, 480), Size(640, 0), Size(-2, 2), Size(16_385, 16)])
  func invalidSizesAreRefused(size: Size) {
    let error = #expect(throws: OvercrankError.self) {
      _ = try SimulatedPicture(format: .grey, width: size.width, height: size.height).largestFrame
    }
    #expect(error?.code == .noMode)
  }

  private final class Asked {
    var count = 0
  }

  @Test(
    "drawing checks for a stop throughout, and ends at once",
    arguments: [
      (PixelFormat.mjpeg, SceneConditions()), (.mjpeg, SceneConditions(restingFrames: 9, noise: 4)),
      (.mjpeg, SceneConditions(brightness: Array(repeating: 0.5, count: 60))), (.yuyv, SceneConditions()),
      (.rgb24, SceneConditions(noise: 4)),
    ])
  func stopped(format: PixelFormat, conditions: SceneConditions) throws {
    for isOther in [false, true] {
      var conditions = conditions
      conditions.isOtherScene = isOther
      let whole = Asked()
      _ = try SimulatedPicture(
        format: format, width: 256, height: 128, conditions: conditions,
        isStopped: {
          whole.count += 1
          return false
        }
      ).largestFrame
      // For each step of the scene, and each row of the wall or of the code.
      #expect(whole.count > (isOther ? 60 : 110))
      for last in [1, 2, whole.count / 2, whole.count] {
        let asked = Asked()
        let error = #expect(throws: OvercrankError.self) {
          _ = try SimulatedPicture(
            format: format, width: 256, height: 128, conditions: conditions,
            isStopped: {
              asked.count += 1
              return asked.count >= last
            }
          ).largestFrame
        }
        #expect(error?.code == .cancelled && asked.count == last)
      }
    }
  }
}
