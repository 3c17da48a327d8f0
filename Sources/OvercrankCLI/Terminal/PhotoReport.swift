import Overcrank

/// A photo in the form that `--json` prints.
struct PhotoReport: Encodable {
  var kind: String
  var format: StillFormat
  var pictures: Int
  @Nullable var capturedAt: String?

  init(_ photo: LibraryPhoto) {
    kind =
      switch photo.kind {
      case .still: "still"
      case .burst: "burst"
      case .motionPhoto: "motion_photo"
      case .livePhoto: "live_photo"
      }
    format = photo.format
    pictures = photo.pictures.count
    capturedAt = photo.capturedAt
  }

  enum CodingKeys: String, CodingKey {
    case kind, format, pictures
    case capturedAt = "captured_at"
  }
}

extension LibraryPhoto {
  /// The kind of photo, in words.
  var kindWords: String {
    switch kind {
    case .still: "\(format.name) still"
    case .burst: "\(format.name) burst of \(pictures.count)"
    case .motionPhoto: "Motion Photo"
    case .livePhoto: "Live Photo"
    }
  }

  /// The time of capture, in UTC as ISO 8601, with all digits that are known; `nil` if unknown.
  fileprivate var capturedAt: String? {
    guard !date.isEmpty else { return nil }
    let fraction = tags.moment?.fraction ?? ""
    return fraction.isEmpty || fraction.contains { !$0.isNumber } ? date : "\(date.dropLast()).\(fraction)Z"
  }

  /// Returns the content of the photo, for people.
  func sheet(problems: [LibraryEntry.Problem]) -> String {
    var rows: [(String, String?)] = [
      ("label", tags.label), ("kind", kindWords), ("captured", capturedAt), ("camera", tags.camera),
      ("exposure", tags.exposure.map { "\($0.inSeconds.decimal(places: 6)) s" }), ("made by", tags.software),
      ("comment", tags.comment),
    ]
    for file in files { rows.append(("file", file.name + (file.sizeWords.map { ", \($0)" } ?? ""))) }
    for problem in problems { rows.append(("problem", "\(problem)")) }
    return (["\(path)"] + rows.compactMap { name, words in words.map { TakeSheet.row(name, $0.printable) } })
      .joined(separator: "\n")
  }
}

extension StillFormat {
  fileprivate var name: String { rawValue.uppercased() }
}
