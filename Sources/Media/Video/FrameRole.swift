/// The role of a frame in a stream whose frames may depend on others.
package enum FrameRole: Hashable, Sendable {
  /// It depends on frames before it.
  case dependent
  /// It stands alone, but needs parameter sets that came before.
  case key
  /// It needs nothing before it: a recording can begin with it.
  case entry
}

/// The role of a frame by its units, each of which begins with its type.
///
/// Only the frame's head is read, up to its first slice or picture. A frame that becomes whole by intra refresh counts
/// as dependent.
struct UnitCoding: Sendable {
  /// The meaning of a unit for its frame.
  enum Unit {
    /// The parameter set of this number, from 0.
    case parameters(Int)
    /// A part of a picture that stands alone.
    case key
    /// A part of a picture that depends on others.
    case dependent
    /// Something else.
    case other
  }

  /// The number of parameter sets that a decoder needs.
  let setCount: Int
  /// Reads a unit, from its type to the end of the frame; it has at least one byte.
  let read: @Sendable (UnsafeRawBufferPointer) -> Unit

  /// ITU-T H.264, table 7-1: slices without and with all they need, and the sequence and picture parameter sets.
  static let avc = UnitCoding(setCount: 2) { unit in
    switch unit[0] & 0x1f {
    case 7: .parameters(0)
    case 8: .parameters(1)
    case 5: .key
    case 1...4: .dependent
    default: .other
    }
  }

  /// ITU-T H.265, table 7-1: the video, sequence and picture parameter sets.
  static let hevc = UnitCoding(setCount: 3) { unit in
    switch unit[0] >> 1 & 0x3f {
    case let type where (32...34).contains(type): .parameters(Int(type) - 32)
    case 16...21: .key
    case 0...15: .dependent
    default: .other
    }
  }

  /// ISO/IEC 11172-2 and 13818-2: the sequence's header, and the picture's with its kind.
  static let mpeg = UnitCoding(setCount: 1) { unit in
    switch unit[0] {
    case 0xb3: .parameters(0)
    case 0 where unit.count > 2: unit[2] >> 3 & 7 == 1 ? .key : .dependent
    default: .other
    }
  }

  /// ISO/IEC 14496-2: the video object layer's header, and the picture's with its kind.
  static let mpeg4 = UnitCoding(setCount: 1) { unit in
    switch unit[0] {
    case 0x20...0x2f: .parameters(0)
    case 0xb6 where unit.count > 1: unit[1] >> 6 == 0 ? .key : .dependent
    default: .other
    }
  }

  /// Returns the role of a frame whose units follow start codes.
  func role(afterStartCodes frame: UnsafeRawBufferPointer) -> FrameRole {
    var found: UInt8 = 0
    var place = 0
    while place + 3 < frame.count {
      guard frame[place] == 0, frame[place + 1] == 0, frame[place + 2] == 1 else {
        place += 1
        continue
      }
      if let role = role(UnsafeRawBufferPointer(rebasing: frame[(place + 3)...]), &found) { return role }
      place += 4
    }
    return .dependent
  }

  /// Returns the role of a frame whose units follow their lengths, in four bytes.
  func role(afterLengths frame: UnsafeRawBufferPointer) -> FrameRole {
    var found: UInt8 = 0
    for unit in LengthPrefixedUnits(frame) {
      if let role = role(UnsafeRawBufferPointer(rebasing: frame[unit]), &found) { return role }
    }
    return .dependent
  }

  /// Reads a unit; returns the frame's role if it is a part of the picture.
  private func role(_ unit: UnsafeRawBufferPointer, _ found: inout UInt8) -> FrameRole? {
    switch read(unit) {
    case .parameters(let index): found |= 1 << UInt8(index)
    case .key: return found == (1 << UInt8(setCount)) - 1 ? .entry : .key
    case .dependent: return .dependent
    case .other: break
    }
    return nil
  }
}

/// The places of a frame's units that follow their lengths in four bytes, as far as they are whole; none is empty.
struct LengthPrefixedUnits: Sequence, IteratorProtocol {
  private let frame: UnsafeRawBufferPointer
  private var place = 0

  init(_ frame: UnsafeRawBufferPointer) { self.frame = frame }

  mutating func next() -> Range<Int>? {
    guard frame.count - place > 4 else { return nil }
    let length = Int(frame.loadUnaligned(fromByteOffset: place, as: UInt32.self).bigEndian)
    let start = place + 4
    guard length > 0, length <= frame.count - start else { return nil }
    place = start + length
    return start..<place
  }
}
