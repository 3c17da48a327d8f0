package import Platform
import Timebase

/// The file of a Motion Photo: a JPEG followed by a video, which its XMP describes.
///
/// Motion Photo format 1.0: https://developer.android.com/media/platform/motion-photo-format.
package enum MotionPhotoFile {
  /// The end of a Motion Photo's name, by which gallery apps recognize it.
  package static let suffix = ".MP.jpg"

  /// Returns the name of a Motion Photo without the end by which it is recognized, in any case; `nil` for another
  /// file's name.
  package static func stem(of name: String) -> String? {
    name.lowercased().hasSuffix(suffix.lowercased()) ? String(name.dropLast(suffix.count)) : nil
  }

  /// Returns `still` followed by `video`.
  ///
  /// - Parameters:
  ///   - still: a JPEG.
  ///   - video: a whole MP4.
  ///   - presentation: the time of the still in the video, from its first picture on.
  ///   - tags: the tags on how the still was taken; `nil` for none.
  ///   - width: the still's pixels per row.
  ///   - height: the still's number of rows.
  /// - Throws: `badData` if `still` is not a JPEG.
  package static func joining(
    _ still: [UInt8], video: [UInt8], shownAt presentation: Duration, tags: PhotoTags? = nil, width: Int,
    height: Int
  ) throws(OvercrankError) -> [UInt8] {
    let words = Array(description(videoBytes: video.count, presentation).utf8)
    guard !JPEGMarkers.header(of: still).isEmpty,
      let described = JPEGApplicationData.adding(JPEGApplicationData.xmp, words, to: still)
    else {
      throw OvercrankError(
        .badData, "the still is not a JPEG, so the description of a motion photo cannot be added.")
    }
    guard let tags else { return described + video }
    // EXIF comes first, as its standard requires.
    let thumbnail = try StillEncoder.thumbnail(ofJPEG: still)
    return StillFormat.jpeg.adding(tags, to: described, width: width, height: height, thumbnail: thumbnail)
      + video
  }

  /// Returns the place of the video in a Motion Photo, by its XMP; `nil` if it is none. The video of a file that
  /// is cut off begins before its start.
  package static func video(in file: InputFile) -> Range<Int64>? {
    guard let header = JPEGApplicationData.header(of: file),
      let xmp = JPEGApplicationData.range(
        of: JPEGApplicationData.xmp, in: header.segments, of: header.bytes),
      let length = String(decoding: header.bytes[xmp], as: UTF8.self)
        .firstMatch(of: /Item:Semantic="MotionPhoto" Item:Length="(\d{1,12})"/)
        .flatMap({ Int64($0.output.1) })
    else { return nil }
    return file.size - length..<file.size
  }

  /// Returns the XMP packet. The video's length counts from the end of the file; the still's own is not
  /// needed.
  private static func description(videoBytes: Int, _ presentation: Duration) -> String {
    """
    <?xpacket begin="\u{feff}" id="W5M0MpCehiHzreSzNTczkc9d"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="Overcrank">
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about=""
            xmlns:GCamera="http://ns.google.com/photos/1.0/camera/"
            xmlns:Container="http://ns.google.com/photos/1.0/container/"
            xmlns:Item="http://ns.google.com/photos/1.0/container/item/"
            GCamera:MotionPhoto="1"
            GCamera:MotionPhotoVersion="1"
            GCamera:MotionPhotoPresentationTimestampUs="\(presentation.wholeNanoseconds / 1000)">
          <Container:Directory>
            <rdf:Seq>
              <rdf:li rdf:parseType="Resource">
                <Container:Item Item:Mime="image/jpeg" Item:Semantic="Primary" Item:Length="0" Item:Padding="0"/>
              </rdf:li>
              <rdf:li rdf:parseType="Resource">
                <Container:Item Item:Mime="video/mp4" Item:Semantic="MotionPhoto" Item:Length="\(videoBytes)" Item:Padding="0"/>
              </rdf:li>
            </rdf:Seq>
          </Container:Directory>
        </rdf:Description>
      </rdf:RDF>
    </x:xmpmeta>
    <?xpacket end="r"?>
    """
  }
}
