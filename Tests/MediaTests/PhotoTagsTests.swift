import FrameJudge
import Foundation
import Platform
import SystemPackage
import Testing

@testable import Media

@Suite("The tags of a photo")
struct PhotoTagsTests {
  private static let size = (width: 64, height: 32)

  private func picture(as format: StillFormat) throws -> [UInt8] {
    let luma = (0..<64 * 32).map { (place: Int) in UInt8(place % 64 * 4) }
    let chroma = (0..<32 * 32).map { (place: Int) in UInt8(96 + place / 32) }
    let jpeg = try JPEGEncoder(quality: 90).encode(
      luma: luma.span, blue: chroma.span, red: chroma.span, width: Self.size.width, height: Self.size.height)
    guard format != .jpeg else { return jpeg }
    var decoder = try JPEGDecoder()
    let picture = try jpeg.withUnsafeBytes { bytes throws(OvercrankError) in try decoder.decode(bytes) }
    var converter = PictureConverter(
      width: Self.size.width, height: Self.size.height, color: .jpeg, layout: .rgb24)
    return try converter.convert(picture).encoded(as: format)
  }

  private var tags: PhotoTags {
    var tags = PhotoTags()
    tags.moment = PhotoTags.Moment(time: "2019:01:01 12:59:00", fraction: "000999", offset: "+05:30")
    (tags.camera, tags.software) = ("USB Camera", "Overcrank 1.0")
    (tags.exposure, tags.isLit) = (.milliseconds(2), true)
    tags.contentIdentifier = "0F8FAD5B-D9CB-469F-A165-70867728950E"
    tags.comment = "frame 5, time 77 ns"
    tags.burst = PhotoTags.BurstPlace(3, of: 20)
    return tags
  }

  private func read(_ file: [UInt8], as format: StillFormat) throws -> PhotoTags? {
    let folder = try TemporaryFolder()
    let path = folder.path("photo")
    try Data(file).write(to: URL(filePath: path))
    return PhotoTags(of: try InputFile(FilePath(path)), as: format)
  }

  @Test(
    "are read as they were written, and another label changes nothing else", arguments: StillFormat.allCases)
  func label(format: StillFormat) throws {
    let bare = try picture(as: format)
    let thumbnail = try picture(as: .jpeg)
    let file = format.adding(
      tags, to: bare, width: Self.size.width, height: Self.size.height,
      thumbnail: format == .tiff ? nil : thumbnail)
    #expect(try read(file, as: format) == tags)
    #expect(try read(file, as: format)?.burst == PhotoTags.BurstPlace(3, of: 20))
    var (labelled, sizes) = (file, [Int]())
    for label in ["milk", "drop", "tröpfchen 💧", "milk", nil] {
      labelled = try #require(format.labelling(labelled, label))
      var expected = tags
      expected.label = label
      #expect(try read(labelled, as: format) == expected)
      sizes.append(labelled.count)
      // The thumbnail and the picture are still there.
      if format != .tiff {
        #expect(Data(labelled).range(of: Data(thumbnail.suffix(200))) != nil)
        #expect(Data(labelled).range(of: Data(bare.suffix(200))) != nil)
      }
    }
    #expect(sizes[0] == sizes[1] && sizes[0] == sizes[3], "a label leaves nothing behind")
    if format == .png { #expect(PNGNotes.damage(of: labelled) == nil) }
  }

  @Test("are none in a picture without, or that is cut off anywhere", arguments: StillFormat.allCases)
  func none(format: StillFormat) throws {
    let bare = try picture(as: format)
    #expect(try read(bare, as: format)?.software?.hasPrefix("Overcrank ") != true)
    let file = format.adding(tags, to: bare, width: Self.size.width, height: Self.size.height)
    for count in stride(from: 0, to: file.count, by: 37) {
      // Whatever it says, it must not stop the program.
      _ = try read(Array(file[..<count]), as: format)
      _ = format.labelling(Array(file[..<count]), "x")
    }
  }

  @Test("A PNG that is cut off or changed is damaged")
  func damage() throws {
    let file = try picture(as: .png)
    #expect(PNGNotes.damage(of: file) == nil)
    #expect(PNGNotes.damage(of: Array(file.dropLast(5))) == "is cut off")
    var changed = file
    changed[file.count / 2] ^= 1
    #expect(PNGNotes.damage(of: changed) != nil)
  }
}
