/// A compact list of a number for each frame of a take, such as its time.
///
/// Frames come evenly, so it stores the difference of each step from the previous one: nothing for
/// consecutive numbers, and about three bytes for a time. A day at 240 frames per second is 20 million
/// frames.
public struct FrameColumn: Sequence, Hashable, Sendable, ExpressibleByArrayLiteral {
  /// The count of numbers.
  public private(set) var count = 0
  /// The first number.
  public private(set) var first: Int64?
  /// The last number.
  public private(set) var last: Int64?

  private var step: Int64 = 0
  /// The change of the last steps, all alike, which is not yet in the pieces.
  private var change: Int64 = 0
  private var changeCount = 0
  private var pieces: [[UInt8]] = []

  /// Bytes of a piece. A piece is never moved: a longer array would be copied again and again.
  private static let pieceSize = 1 << 16

  /// Bytes that the numbers occupy.
  var byteCount: Int { pieces.reduce(0) { $0 + $1.count } }

  /// Creates an empty column.
  public init() {}

  /// Creates a column of these numbers.
  public init(_ numbers: some Sequence<Int64>) {
    for number in numbers { append(number) }
  }

  /// Creates a column of these numbers.
  public init(arrayLiteral numbers: Int64...) { self.init(numbers) }

  /// Appends a number.
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

  /// Moves the pending change into the pieces: its sign in the second lowest bit, and in the lowest whether
  /// it repeats; then the number of repetitions.
  private mutating func flush() {
    guard changeCount > 0 else { return }
    let folded = UInt64(bitPattern: change << 1 ^ change >> 63)
    put(UInt128(folded) << 1 | (changeCount > 1 ? 1 : 0))
    if changeCount > 1 { put(UInt128(changeCount)) }
    changeCount = 0
  }

  /// Writes seven bits per byte, the lowest first; the highest bit means that more follow.
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

  /// Returns an iterator over the numbers, in order.
  public func makeIterator() -> Iterator {
    var whole = self
    whole.flush()
    return Iterator(pieces: whole.pieces)
  }

  /// An iterator over a column.
  public struct Iterator: IteratorProtocol {
    fileprivate let pieces: [[UInt8]]
    private var piece = 0
    private var place = 0
    private var number: Int64 = 0
    private var step: Int64 = 0
    private var change: Int64 = 0
    private var left: UInt64 = 0

    fileprivate init(pieces: [[UInt8]]) { self.pieces = pieces }

    /// Returns the next number.
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
  /// Decodes a list of numbers.
  public init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    while !list.isAtEnd { append(try list.decode(Int64.self)) }
  }

  /// Encodes a list of numbers.
  public func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    for number in self { try list.encode(number) }
  }
}
