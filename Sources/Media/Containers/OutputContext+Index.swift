import Platform

extension OutputContext {
  /// The most top-level boxes of a file that libav wrote.
  private static let mostBoxes = 64

  /// Appends `box` to the index of a MOV or MP4 that libav has finished.
  ///
  /// The movie is complete before, between the two writes, and after: the data after an index that does not
  /// count it is a box that players skip. So a failure here does no harm; the movie then lacks the box.
  func addToIndex(_ box: [UInt8]) {
    do throws(OvercrankError) { try add(box) } catch {}
  }

  private func add(_ box: [UInt8]) throws(OvercrankError) {
    let boxes = try boxes()
    guard let place = boxes.firstIndex(where: { $0.type == "moov" }), boxes[place].headerSize == 8 else {
      return
    }
    let index = boxes[place]
    let end = Int64(index.offset + index.size)
    var bytes = box
    if end < size {
      // An index at the front has space after it, the rest of which stays marked as free.
      guard place + 1 < boxes.count, boxes[place + 1].type == "free" else { return }
      let rest = boxes[place + 1].size - box.count
      guard boxes[place + 1].headerSize == 8, rest >= 8 else { return }
      bytes += Self.number(rest) + "free".utf8
    }
    try replace(bytes, at: end)
    try replace(Self.number(index.size + box.count), at: Int64(index.offset))
  }

  /// Ends the first track of a MOV or MP4 that libav has finished at `end`, in ticks of the movie, before the
  /// end of its last frame: its edit list hides anything later.
  ///
  /// - Precondition: it has an edit list, and one timescale in all of its index.
  func endPresentation(at end: Int64) throws(OvercrankError) {
    guard let index = try boxes().first(where: { $0.type == "moov" }) else { return }
    var bytes = try bytes(at: Int64(index.offset), count: index.size)
    MovieIndex.endPresentation(at: end, in: &bytes, headerSize: index.headerSize)
    try replace(bytes, at: Int64(index.offset))
  }

  /// Cuts out the space that the index at the front of a finished MOV or MP4 leaves free, if that is at least a
  /// hundredth of the file: everything behind it moves towards the start.
  ///
  /// - Throws: `inputOutput` if the disk failed; the file is then damaged.
  func cutOutFreeSpace() throws(OvercrankError) {
    let boxes = try boxes()
    guard let place = boxes.firstIndex(where: { $0.type == "moov" }), place + 1 < boxes.count,
      boxes[place + 1].type == "free", Int64(boxes[place + 1].size) >= size / 100
    else { return }
    let (index, free) = (boxes[place], boxes[place + 1])
    var indexBytes = try bytes(at: Int64(index.offset), count: index.size)
    guard MovieIndex.moveChunks(by: free.size, in: &indexBytes, headerSize: index.headerSize) else { return }
    try replace(indexBytes, at: Int64(index.offset))
    var offset = Int64(free.offset + free.size)
    while case let piece = try bytes(at: offset, count: Self.pieceSize), !piece.isEmpty {
      try replace(piece, at: offset - Int64(free.size))
      offset += Int64(piece.count)
    }
    shorten(to: size - Int64(free.size))
  }

  /// The bytes that are moved at a time.
  private static let pieceSize = 1 << 20

  /// Returns the top-level boxes of the file, up to the first incomplete one.
  private func boxes() throws(OvercrankError) -> [MovieBox] {
    var boxes: [MovieBox] = []
    var offset: Int64 = 0
    while offset < size, boxes.count < Self.mostBoxes {
      let head = try bytes(at: offset, count: 16)
      guard let box = MovieBox(head: head[...], offset: Int(offset), end: Int(size)) else { break }
      boxes.append(box)
      offset += Int64(box.size)
    }
    return boxes
  }

  private static func number(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
