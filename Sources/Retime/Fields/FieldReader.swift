import Platform
import Media

/// Makes a frame of each field of a film's frames, as they are read.
struct FieldReader: ~Copyable {
  private var deinterlacer: Deinterlacer
  private var previous: (index: Int, picture: Picture)?
  private var current: (index: Int, picture: Picture)?
  /// Frames that are made, the next one first.
  private var made: [FrameReader.Frame] = []

  init(_ order: FieldOrder) { deinterlacer = Deinterlacer(order) }

  /// The next frame that is made already, with its place among the fields.
  mutating func next() -> FrameReader.Frame? { made.isEmpty ? nil : made.removeFirst() }

  /// Takes the next frame of the film; `nil` after the last.
  ///
  /// - Throws: `OvercrankError` of unknown layouts, and without memory.
  mutating func add(_ frame: FrameReader.Frame?) throws(OvercrankError) {
    var next: (index: Int, picture: Picture)?
    if case .picture(let picture)? = frame?.content, let index = frame?.index {
      next = (index, try deinterlacer.prepare(picture))
    }
    if let current {
      // What was filmed long before or after tells nothing of the lines between.
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
