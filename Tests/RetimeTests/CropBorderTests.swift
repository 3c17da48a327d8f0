import Platform
import CameraModel
import Media
import Testing
import Timebase

@testable import Retime

@Suite("A crop")
struct CropBorderTests {
  @Test(
    "beyond the picture is refused, whatever its numbers",
    arguments: [
      "16x16+9223372036854775806+0", "16x16+0+9223372036854775806", "16384x16384+2+2", "64x64+2+0",
    ])
  func refused(_ text: String) throws {
    let crop = try ClipCrop(text: text)
    #expect(!crop.part(ofWidth: 64, height: 64).liesWithin(width: 64, height: 64))
    let video = VideoTrack(codec: .mjpeg, width: 64, height: 64)
    #expect(throws: OvercrankError.self) { try ClipGeometry(of: video, [crop]) }
  }

  @Test(
    "is refused, like any scale, if the source does not state its size",
    arguments: ["640:-1", "-1:360", "1/2"])
  func noSize(_ scale: String) throws {
    for (width, height) in [(0, 0), (64, 0), (0, 64)] {
      let video = VideoTrack(codec: .mjpeg, width: width, height: height)
      let error = #expect(throws: OvercrankError.self) {
        try ClipGeometry(of: video, [ClipScale(text: scale)])
      }
      #expect(error?.code == .badData)
    }
  }

  @Test(
    "by an aspect ratio is the largest even part, from the middle",
    arguments: [
      ("9:16", PictureCrop(width: 404, height: 720, x: 438, y: 0)),
      ("16:9", PictureCrop(width: 1280, height: 720)),
      ("1:1", PictureCrop(width: 720, height: 720, x: 280, y: 0)),
      ("4:1", PictureCrop(width: 1280, height: 320, x: 0, y: 200)),
    ])
  func shape(_ text: String, _ part: PictureCrop) throws {
    #expect(try ClipCrop(text: text).part(ofWidth: 1280, height: 720) == part)
  }

  @Test(
    "by an aspect ratio refers to the displayed shape, whatever the shape of the pixels",
    arguments: [
      ("1:1", Fraction(2), PictureCrop(width: 72, height: 144, x: 60, y: 0)),
      ("1:1", Fraction(1, 2), PictureCrop(width: 192, height: 96, x: 0, y: 24)),
      ("9:16", Fraction(16, 15), PictureCrop(width: 74, height: 144, x: 58, y: 0)),
      ("9:16", Fraction(1, 3), PictureCrop(width: 192, height: 112, x: 0, y: 16)),
      ("1:1", Fraction(1, 2_147_483_647), PictureCrop(width: 192, height: 2, x: 0, y: 70)),
      ("100:1", Fraction(2_147_483_647), PictureCrop(width: 2, height: 144, x: 94, y: 0)),
    ])
  func pixels(_ text: String, _ pixel: Fraction, _ part: PictureCrop) throws {
    let crop = try ClipCrop(text: text)
    #expect(crop.part(ofWidth: 192, height: 144, pixelAspectRatio: pixel) == part)
    var video = VideoTrack(codec: .mjpeg, width: 192, height: 144)
    video.pixelAspectRatio = pixel
    #expect(try ClipGeometry(of: video, [crop]).crop == part)
    // When a player rotates the picture, a pixel's width and height are exchanged.
    video.pixelAspectRatio = pixel.reciprocal
    let quarter = Orientation(try #require(PictureTurn(degrees: 90)))
    let turned = try ClipGeometry(of: video, [crop], orientation: quarter)
    #expect(turned.pixelAspectRatio == pixel.reciprocal)
    let shown = crop.part(ofWidth: 144, height: 192, pixelAspectRatio: pixel)
    #expect(turned.crop.map { [$0.width, $0.height] } == [shown.height, shown.width])
  }

  @Test("at the edge of the picture is not beyond it")
  func edge() throws {
    #expect(try ClipCrop(text: "32x16+32+48").part(ofWidth: 64, height: 64).liesWithin(width: 64, height: 64))
    let middle = try ClipCrop(text: "32x18").part(ofWidth: 64, height: 64)
    #expect(middle == PictureCrop(width: 32, height: 18, x: 16, y: 22))
    #expect(!PictureCrop(width: 0, height: 16).liesWithin(width: 64, height: 64))
    #expect(!PictureCrop(width: 16, height: 16, x: -2).liesWithin(width: 64, height: 64))
  }
}
