/// ISO/IEC 14496-12, 8.7.5: the places of the frames in the file.
extension MovieIndex {
  /// Moves the places of all chunks of all tracks `count` bytes towards the start of the file.
  ///
  /// - Parameters:
  ///   - count: in bytes.
  ///   - bytes: a whole `moov` box, whose header has `headerSize` bytes.
  /// - Returns: whether all tracks have their places, and none is before `count`; if not, `bytes` are partly changed.
  static func moveChunks(by count: Int, in bytes: inout [UInt8], headerSize: Int) -> Bool {
    let tracks = MovieBox.boxes(in: bytes, headerSize..<bytes.count).filter { $0.type == "trak" }
    for track in tracks {
      let table = ["mdia", "minf", "stbl"].reduce(Optional(track)) { box, type in
        box.flatMap { box in MovieBox.boxes(in: bytes, box.content).first { $0.type == type } }
      }
      guard let table,
        let chunks = MovieBox.boxes(in: bytes, table.content).first(where: {
          ["stco", "co64"].contains($0.type)
        }),
        chunks.content.count >= 8
      else { return false }
      let width = chunks.type == "stco" ? 4 : 8
      let chunkCount = Int(bytes[chunks.content].bigEndian(at: 4, count: 4))
      guard chunkCount <= (chunks.content.count - 8) / width else { return false }
      for number in 0..<chunkCount {
        let place = chunks.content.lowerBound + 8 + number * width
        let offset = Int64(clamping: bytes[place..<place + width].bigEndian(at: 0, count: width))
        guard offset >= count else { return false }
        write(offset - Int64(count), width, at: place, in: &bytes)
      }
    }
    return !tracks.isEmpty
  }
}
