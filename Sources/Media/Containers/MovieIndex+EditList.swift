/// ISO/IEC 14496-12, 8.6.6: the parts of a track that are shown.
extension MovieIndex {
  /// Shortens the last part of the first track's edit list so that the track, and the movie with it, ends at
  /// `end`.
  ///
  /// - Parameters:
  ///   - end: in ticks of the movie.
  ///   - bytes: a whole `moov` box, whose header has `headerSize` bytes; it is unchanged if it has no edit
  ///     list.
  static func endPresentation(at end: Int64, in bytes: inout [UInt8], headerSize: Int) {
    func box(_ type: String, in range: Range<Int>) -> Range<Int>? {
      MovieBox.boxes(in: bytes, range).first { $0.type == type }?.content
    }
    guard let movie = box("mvhd", in: headerSize..<bytes.count),
      let track = box("trak", in: headerSize..<bytes.count), let header = box("tkhd", in: track),
      let list = box("edts", in: track).flatMap({ box("elst", in: $0) }), list.count >= 8
    else { return }
    let isLong = bytes[list.lowerBound] == 1
    let (entrySize, width) = isLong ? (20, 8) : (12, 4)
    let count = Int(bytes[list].bigEndian(at: 4, count: 4))
    guard count > 0, list.count >= 8 + count * entrySize else { return }
    let places = (0..<count).map { list.lowerBound + 8 + $0 * entrySize }
    let before = places.dropLast().reduce(Int64(0)) {
      $0 + Int64(clamping: bytes[$1...].bigEndian(at: 0, count: width))
    }
    let last = max(0, end - before)
    write(last, width, at: places[count - 1], in: &bytes)
    for (content, offsets) in [(movie, (16, 24)), (header, (20, 28))] {
      let isLong = bytes[content.lowerBound] == 1
      let place = content.lowerBound + (isLong ? offsets.1 : offsets.0)
      guard place + (isLong ? 8 : 4) <= content.upperBound else { continue }
      write(before + last, isLong ? 8 : 4, at: place, in: &bytes)
    }
  }

  /// Writes the last `width` bytes of `value` at `place`.
  static func write(_ value: Int64, _ width: Int, at place: Int, in bytes: inout [UInt8]) {
    let number = MovieBox.number(value)
    bytes.replaceSubrange(place..<place + width, with: number.suffix(width))
  }
}
