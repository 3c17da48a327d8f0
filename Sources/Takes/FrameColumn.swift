/// A number for each frame of a take, such as its time, in little memory.
///
/// Frames come evenly, so what is kept is how far each step differs from the step before: nothing for
/// numbers that follow one another, and about three bytes for a time. A day at 240 frames a second is
/// 20 million frames.
public struct FrameColumn: Sequence, Hashable, Sendable, ExpressibleByArrayLiteral {
  /// How many numbers there are.
  public private(set) var count = 0
  /// The first number.
  public private(set) var first: Int64?
  /// The last number.
  public private(set) var last: Int64?

  private var step: Int64 = 0
  /// How the last steps changed, all alike, which is not in the pieces yet.
  private var change: Int64 = 0
  private var changeCount = 0
  private var pieces: [[UInt8]] = []

  /// Bytes of a piece. It is never moved: a longer array would be copied again and again.
  private static let pieceSize = 1 << 16

  /// Bytes that the numbers take.
  var byteCount: Int { pieces.reduce(0) { $0 + $1.count } }

  /// A column without numbers.
  public init() {}

  /// A column of these numbers.
  public init(_ numbers: some Sequence<Int64>) {
    for number in numbers { append(number) }
  }

  /// A column of these numbers.
  public init(arrayLiteral numbers: Int64...) { self.init(numbers) }

  /// Enters a number behind the others.
  mutating func append(_ number: Int64) {
    let newStep = number &- (last ?? 0)
    let newChange = newStep &- step
    if newChange != change || changeCount == 0 {
      flush()
      change = newChange
    }
    changeCount += 1
    step = newStep
    first = first ?? number
    last = number
    count += 1
  }

  /// Puts the pending change into the pieces: its sign in the lowest bit but one, and in the lowest
  /// whether it came again; then how often it came.
  private mutating func flush() {
    guard changeCount > 0 else { return }
    let folded = UInt64(bitPattern: change << 1 ^ change >> 63)
    put(UInt128(folded) << 1 | (changeCount > 1 ? 1 : 0))
    if changeCount > 1 { put(UInt128(changeCount)) }
    changeCount = 0
  }

  /// Seven bits a byte, the lowest first; the highest bit says that more follow.
  private mutating func put(_ number: UInt128) {
    if pieces.last.map({ $0.count > Self.pieceSize - 10 }) ?? true {
      var piece: [UInt8] = []
      piece.reserveCapacity(Self.pieceSize)
      pieces.append(piece)
    }
    let index = pieces.count - 1
    var rest = number
    while rest >= 0x80 {
      pieces[index].append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    pieces[index].append(UInt8(rest))
  }

  /// The numbers, in order.
  public func makeIterator() -> Iterator {
    var whole = self
    whole.flush()
    return Iterator(pieces: whole.pieces)
  }

  /// Goes through a column.
  public struct Iterator: IteratorProtocol {
    fileprivate let pieces: [[UInt8]]
    private var piece = 0
    private var place = 0
    private var number: Int64 = 0
    private var step: Int64 = 0
    private var change: Int64 = 0
    private var left: UInt64 = 0

    fileprivate init(pieces: [[UInt8]]) { self.pieces = pieces }

    /// The next number.
    public mutating func next() -> Int64? {
      if left == 0 {
        guard let code = take() else { return nil }
        let folded = UInt64(truncatingIfNeeded: code >> 1)
        change = Int64(bitPattern: folded >> 1) ^ -Int64(bitPattern: folded & 1)
        left = code & 1 == 0 ? 1 : take().map { UInt64(truncatingIfNeeded: $0) } ?? 1
      }
      left -= 1
      step = step &+ change
      number = number &+ step
      return number
    }

    private mutating func take() -> UInt128? {
      var (number, shift) = (UInt128(0), 0)
      while piece < pieces.count {
        guard place < pieces[piece].count else {
          (piece, place) = (piece + 1, 0)
          continue
        }
        let byte = pieces[piece][place]
        place += 1
        number |= UInt128(byte & 0x7f) << shift
        guard byte & 0x80 != 0 else { return number }
        shift += 7
      }
      return nil
    }
  }
}

extension FrameColumn: Codable {
  /// Reads a list of numbers.
  public init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    while !list.isAtEnd { append(try list.decode(Int64.self)) }
  }

  /// Writes a list of numbers.
  public func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    for number in self { try list.encode(number) }
  }
}
