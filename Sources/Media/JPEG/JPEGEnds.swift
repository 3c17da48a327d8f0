/// The two ends of a JPEG, by which a frame that was cut off in transfer is told.
package enum JPEGEnds {
  /// Whether `bytes` start with SOI and have an EOI (ITU T.81, table B.1).
  package static func areWhole(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= 4, bytes[0] == 0xff, bytes[1] == 0xd8 else { return false }
    // The end is looked for from behind, past what some cameras pad or leave there. In the picture's data
    // every 0xff is followed by a zero or a restart marker, so nothing else looks like it.
    var place = bytes.count - 2
    while place >= 2 {
      if bytes[place] == 0xff, bytes[place + 1] == 0xd9 { return true }
      place -= 1
    }
    return false
  }
}
