package import SystemPackage
package import Timebase

import Platform

/// A video's capture rate and slow-motion parts, as phones record them.
///
/// All values are claims of the file. Invalid rates and times are omitted, and reported in ``problems``.
package struct SlowMotionTags: Hashable, Sendable {
  /// A stretch that the phone's gallery plays in slow motion.
  package struct Stretch: Hashable, Sendable {
    /// The time from the video's first frame to its start, in the video's own time.
    package var start: Duration
    /// The time from the video's first frame to its end, in the video's own time.
    package var end: Duration
    /// The playback speed relative to real time.
    package var speed: Fraction

    /// Creates a stretch.
    package init(start: Duration, end: Duration, speed: Fraction) {
      self.start = start
      self.end = end
      self.speed = speed
    }
  }

  /// The frames captured per second, by `com.android.capture.fps`; `nil` if unknown.
  package internal(set) var androidRate: Fraction?
  /// The frames captured per second, by Samsung's box `smta`; `nil` if unknown.
  package internal(set) var samsungRate: Fraction?
  /// The slow-motion parts in Samsung's trailer (SEF); `nil` if there is none.
  package internal(set) var samsungStretches: [Stretch]?
  /// The sidecar of Apple's Photos beside the video; `nil` if there is none with slow motion.
  package internal(set) var sidecar: FilePath?
  /// The slow-motion parts in the sidecar; the rest of such a video plays in real time.
  package internal(set) var appleStretches: [Stretch]?
  /// The defects of the tags, each as the end of a sentence, such as `its SlowMotion_Data is damaged`.
  package internal(set) var problems: [String] = []

  /// Creates an empty set of tags.
  package init() {}

  /// Reads the tags of the video at `path`, and of the sidecar beside it; none if it cannot be read.
  ///
  /// Reads a few boxes of the index, the end of the file, and the sidecar, at most a megabyte of each.
  package init(_ path: FilePath) {
    if let file = try? InputFile(path) {
      readIndex(of: file)
      readTrailer(of: file)
    }
    readSidecar(of: path)
  }

  /// Returns `framesPerSecond` as a fraction; `nil` if no video can have that rate.
  package static func rate(_ framesPerSecond: Double) -> Fraction? {
    guard framesPerSecond.isFinite, framesPerSecond >= 0.001,
      framesPerSecond <= FrameRate.highest.doubleValue
    else { return nil }
    return Fraction(Int64(clamping: (framesPerSecond * 1000).rounded()), 1000)
  }

  /// Returns stretches that a phone may have stored, in order: they do not overlap, and have possible speeds;
  /// `nil` for others.
  static func sound(_ stretches: [Stretch]) -> [Stretch]? {
    guard stretches.count <= mostStretches else { return nil }
    var end = Duration.zero
    for stretch in stretches.sorted(by: { $0.start < $1.start }) {
      guard stretch.start >= end, stretch.end > stretch.start, stretch.end <= longest,
        Speed(stretch.speed) != nil
      else { return nil }
      end = stretch.end
    }
    return stretches.sorted { $0.start < $1.start }
  }

  private static let mostStretches = 1000
  private static let longest = Duration.seconds(7 * 24 * 3600)
}

// MARK: The index

extension SlowMotionTags {
  /// The largest box that is read, in bytes.
  private static let largestBox = 1 << 20

  private mutating func readIndex(of file: InputFile) {
    guard let index = Self.boxes(in: 0..<Int(file.size), of: file).first(where: { $0.type == "moov" }) else {
      return
    }
    let children = Self.boxes(in: index.content, of: file)
    var metas = children.filter { $0.type == "meta" }
    for box in children where box.type == "udta" {
      let data = Self.boxes(in: box.content, of: file)
      for samsung in data where samsung.type == "smta" {
        if let bytes = Self.content(of: samsung, in: file) { readSamsungBox(bytes) }
      }
      // libavformat writes keys here.
      metas += data.filter { $0.type == "meta" }
    }
    for meta in metas { if let bytes = Self.content(of: meta, in: file) { readKeys(bytes) } }
  }

  /// Returns the complete boxes in `range` of `file`; none if they cannot be read.
  private static func boxes(in range: Range<Int>, of file: InputFile) -> [MovieBox] {
    (try? MovieBox.boxes(in: range, of: file)) ?? []
  }

  private static func content(of box: MovieBox, in file: InputFile) -> [UInt8]? {
    guard box.content.count <= largestBox else { return nil }
    return try? file.bytes(at: Int64(box.content.lowerBound), count: box.content.count)
  }

  /// Reads QuickTime's metadata keys: a handler `mdta`, their names, and their values.
  private mutating func readKeys(_ bytes: [UInt8]) {
    // In MP4, a version may precede the boxes; in MOV, none does.
    let start = bytes.dropFirst(4).starts(with: "hdlr".utf8) ? 0 : 4
    guard start < bytes.count else { return }
    let boxes = MovieBox.boxes(in: bytes, start..<bytes.count)
    guard let handler = boxes.first(where: { $0.type == "hdlr" }),
      bytes[handler.content].dropFirst(8).starts(with: "mdta".utf8),
      let keys = boxes.first(where: { $0.type == "keys" }),
      let list = boxes.first(where: { $0.type == "ilst" })
    else { return }
    // After a version and the count, each name is stored as a box of the type `mdta`.
    let names = MovieBox.boxes(
      in: bytes, min(keys.content.lowerBound + 8, keys.content.upperBound)..<keys.content.upperBound)
    guard
      let number = names.firstIndex(where: { bytes[$0.content].elementsEqual(CaptureRateTag.key.utf8) })
    else { return }
    for item in MovieBox.boxes(in: bytes, list.content)
    where bytes[item.typeOffset...].bigEndian(at: 0, count: 4) == UInt64(number + 1) {
      for data in MovieBox.boxes(in: bytes, item.content) where data.type == "data" {
        enterAndroidRate(bytes[data.content])
      }
    }
  }

  /// Reads a value: its type, its locale, and its content.
  private mutating func enterAndroidRate(_ data: ArraySlice<UInt8>) {
    let value = data.dropFirst(8)
    let number: Double? =
      switch (data.bigEndian(at: 0, count: 4), value.count) {
      case (23, 4): Double(Float(bitPattern: UInt32(value.bigEndian(at: 0, count: 4))))
      case (24, 8): Double(bitPattern: value.bigEndian(at: 0, count: 8))
      case (1, 1...32): Double(String(decoding: value, as: UTF8.self))
      default: nil
      }
    guard let number else { return problems.append("its \(CaptureRateTag.key) is not a number") }
    guard let rate = Self.rate(number) else {
      return problems.append("its \(CaptureRateTag.key) of \(number) is not a valid rate")
    }
    if let androidRate, androidRate != rate {
      return problems.append("it has two different values of \(CaptureRateTag.key)")
    }
    androidRate = rate
  }

  // MARK: Samsung

  /// Reads the boxes in `smta`, after its version: `saut`, whose pairs of bytes are keys and values, and
  /// `srfr`.
  ///
  /// The format is that of Google's media3 (`SmtaAtomUtil`); Samsung has published nothing.
  private mutating func readSamsungBox(_ bytes: [UInt8]) {
    guard bytes.count > 4 else { return }
    let boxes = MovieBox.boxes(in: bytes, 4..<bytes.count)
    guard let author = boxes.first(where: { $0.type == "saut" }) else { return }
    let pairs = Array(bytes[author.content].dropFirst(4))
    let mode = stride(from: 0, to: pairs.count - 1, by: 2).first { pairs[$0] == 0 }.map { pairs[$0 + 1] }
    switch mode {
    case 12: samsungRate = Fraction(240)
    case 13: samsungRate = Fraction(120)
    case 21:
      guard let rate = boxes.first(where: { $0.type == "srfr" }), rate.content.count >= 4,
        let value = Self.rate(Double(bytes[rate.content].bigEndian(at: 0, count: 4)) / 65536)
      else { return problems.append("its saut states slow motion, but its srfr states no rate") }
      samsungRate = value
    case 7, 9, 22, 23: problems.append("its saut states super slow motion, but not its rate")
    default: break
    }
  }

  private static let largestTrailer = 1 << 16

  /// Reads Samsung's trailer: data, `SEFH` with a table of their offsets, its size, and `SEFT`.
  ///
  /// The format is that of Google's media3 (`SefReader`).
  private mutating func readTrailer(of file: InputFile) {
    guard file.size >= 20, let foot = try? file.bytes(at: file.size - 8, count: 8), foot.count == 8,
      foot[4...].elementsEqual("SEFT".utf8)
    else { return }
    let size = Int64(foot.littleEndian(at: 0, count: 4))
    let start = file.size - 8 - size
    guard size >= 12, size <= Self.largestTrailer, start >= 0,
      let table = try? file.bytes(at: start, count: Int(size)), table.count == Int(size),
      table.starts(with: "SEFH".utf8)
    else { return problems.append("its trailer (SEF) is damaged") }
    let count = Int(min(table.littleEndian(at: 8, count: 4), UInt64((size - 12) / 12)))
    for entry in 0..<count {
      let place = 12 + entry * 12
      let back = Int64(table.littleEndian(at: place + 4, count: 4))
      let length = Int64(table.littleEndian(at: place + 8, count: 4))
      // Other entries, such as pictures, may be of any size.
      guard back >= length, back <= start, (8...Int64(Self.largestTrailer)).contains(length),
        let data = try? file.bytes(at: start - back, count: Int(length)), data.count == Int(length)
      else { continue }
      readTrailerEntry(data)
    }
  }

  /// Reads one of the trailer's entries: its type twice, the length of its name, its name, and its content.
  private mutating func readTrailerEntry(_ data: [UInt8]) {
    let length = Int(clamping: data.littleEndian(at: 4, count: 4))
    guard length <= data.count - 8 else { return }
    let value = String(decoding: data[(8 + length)...], as: UTF8.self)
    switch String(decoding: data[8..<8 + length], as: UTF8.self) {
    case "SlowMotion_Data":
      guard samsungStretches == nil, let stretches = Self.samsungStretches(value) else {
        return problems.append("its SlowMotion_Data is damaged")
      }
      samsungStretches = stretches
    case "Super_SlowMotion_Data":
      problems.append("its trailer (SEF) states super slow motion in an unknown form")
    default: break
    }
  }

  /// Reads `1200:3400:3*5000:6000:2`: start and end in milliseconds of the video, and the number of halvings
  /// of the speed plus one.
  private static func samsungStretches(_ text: String) -> [Stretch]? {
    var stretches: [Stretch] = []
    for part in text.split(separator: "*", omittingEmptySubsequences: false) {
      let numbers = part.split(separator: ":", omittingEmptySubsequences: false).map { Int64($0) }
      guard numbers.count == 3, let start = numbers[0], let end = numbers[1], let halvings = numbers[2],
        (0...week).contains(start), (0...week).contains(end), (1...13).contains(halvings)
      else { return nil }
      stretches.append(
        Stretch(start: .milliseconds(start), end: .milliseconds(end), speed: Fraction(1, 1 << (halvings - 1)))
      )
    }
    return sound(stretches)
  }

  /// A week in milliseconds.
  private static let week: Int64 = 7 * 24 * 3600 * 1000
}
