public import Timebase

/// When each frame of a take was captured, in little memory.
public struct FrameTimes: Sequence, Hashable, Sendable, ExpressibleByArrayLiteral {
  /// The same as numbers.
  private(set) var nanoseconds = FrameColumn()

  /// No times.
  public init() {}

  /// These times.
  public init(_ times: some Sequence<Instant>) {
    for time in times { append(time) }
  }

  /// These times.
  public init(arrayLiteral times: Instant...) { self.init(times) }

  /// How many times there are.
  public var count: Int { nanoseconds.count }
  /// The first time.
  public var first: Instant? { nanoseconds.first.map(Instant.init) }
  /// The last time.
  public var last: Instant? { nanoseconds.last.map(Instant.init) }

  /// Enters a time behind the others.
  mutating func append(_ time: Instant) { nanoseconds.append(time.nanoseconds) }

  /// The times, in order.
  public func makeIterator() -> Iterator { Iterator(numbers: nanoseconds.makeIterator()) }

  /// Goes through times.
  public struct Iterator: IteratorProtocol {
    fileprivate var numbers: FrameColumn.Iterator

    /// The next time.
    public mutating func next() -> Instant? { numbers.next().map(Instant.init) }
  }
}

extension FrameTimes: Codable {
  /// Reads a list of nanoseconds.
  public init(from decoder: any Decoder) throws { nanoseconds = try FrameColumn(from: decoder) }

  /// Writes a list of nanoseconds.
  public func encode(to encoder: any Encoder) throws { try nanoseconds.encode(to: encoder) }
}
