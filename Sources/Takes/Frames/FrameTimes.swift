public import Timebase

/// A compact list of the capture time of each frame of a take.
public struct FrameTimes: Sequence, Hashable, Sendable, ExpressibleByArrayLiteral {
  /// The times as numbers.
  private(set) var nanoseconds = FrameColumn()

  /// Creates an empty list.
  public init() {}

  /// Creates a list of these times.
  public init(_ times: some Sequence<Instant>) {
    for time in times { append(time) }
  }

  /// Creates a list of these times.
  public init(arrayLiteral times: Instant...) { self.init(times) }

  /// The number of times.
  public var count: Int { nanoseconds.count }
  /// The first time.
  public var first: Instant? { nanoseconds.first.map(Instant.init) }
  /// The last time.
  public var last: Instant? { nanoseconds.last.map(Instant.init) }

  /// Appends a time.
  mutating func append(_ time: Instant) { nanoseconds.append(time.nanoseconds) }

  /// Returns an iterator over the times, in order.
  public func makeIterator() -> Iterator { Iterator(numbers: nanoseconds.makeIterator()) }

  /// An iterator over times.
  public struct Iterator: IteratorProtocol {
    fileprivate var numbers: FrameColumn.Iterator

    /// Returns the next time.
    public mutating func next() -> Instant? { numbers.next().map(Instant.init) }
  }
}

extension FrameTimes: Codable {
  /// Decodes a list of nanoseconds.
  public init(from decoder: any Decoder) throws { nanoseconds = try FrameColumn(from: decoder) }

  /// Encodes a list of nanoseconds.
  public func encode(to encoder: any Encoder) throws { try nanoseconds.encode(to: encoder) }
}
