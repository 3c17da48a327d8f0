import Platform
import Media

/// Makes a frame from each field of a source's frames as they are read.
struct FieldReader: ~Copyable {
  private var deinterlacer: Deinterlacer
  private var previous: (index: Int, picture: Picture)?
  private var current: (index: Int, picture: Picture)?
  /// Finished frames, next first.
  private var made: [FrameReader.Frame] = []

  init(_ order: FieldOrder) { deinterlacer = Deinterlacer(order) }

  /// Returns the next finished frame, with its index among the fields.
  mutating func next() -> FrameReader.Frame? { made.isEmpty ? nil : made.removeFirst() }

  /// Adds the source's next frame; `nil` after the last.
  ///
  /// - Throws: `OvercrankError` for unknown layouts, or if memory runs out.
  mutating func add(_ frame: FrameReader.Frame?) throws(OvercrankError) {
    var next: (index: Int, picture: Picture)?
    if case .picture(let picture)? = frame?.content, let index = frame?.index {
      next = (index, try deinterlacer.prepare(picture))
    }
    if let current {
      // Frames captured long before or after say nothing about the lines between.
      let before = previous.flatMap { $0.index + 1 == current.index ? $0.picture : nil } ?? current.picture
      let after = next.flatMap { current.index + 1 == $0.index ? $0.picture : nil } ?? current.picture
      let fields = try deinterlacer.fields(of: current.picture, after: before, before: after)
      for (number, field) in fields.enumerated() {
        made.append(FrameReader.Frame(index: 2 * current.index + number, content: .picture(field)))
      }
    }
    (previous, current) = (current, next)
  }
}
