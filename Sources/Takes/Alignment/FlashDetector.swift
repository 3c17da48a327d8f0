/// A detector of flashes in the rows of a take's frames, in one pass.
///
/// A flash brightens many rows at once, and not for long. Rows of one frame may see it while others see it in the frame
/// before: a rolling shutter exposes them one after the other.
package struct FlashDetector: Sendable {
  /// The light of a frame's rows above their usual light.
  struct Rise {
    /// The frame's place in the take.
    var frame: Int
    var rows: [Float]
  }

  /// A flash, with the frames around its end.
  struct Flash {
    /// The last frames that it brightens, and the next one, if the take does not end before.
    var frames: [Rise]
    /// How much it brightens each row.
    var brightening: [Float]

    /// The mean over the rows.
    var strength: Float { brightening.reduce(0, +) / Float(max(1, brightening.count)) }
  }

  /// The frames that may be brighter, and those with the light after them.
  private struct Burst {
    let before: [Float]
    var brightest: [Float]
    var frames: [Rise] = []
    var count = 0
    var calmCount = 0

    mutating func add(_ rows: [Float], _ frame: Int) {
      for index in rows.indices { brightest[index] = max(brightest[index], rows[index]) }
      frames.append(Rise(frame: frame, rows: rows))
      if frames.count > FlashDetector.keptFrames { frames.removeFirst() }
      count += 1
    }
  }

  /// The least rise that counts, as a part of white.
  private static let leastRise: Float = 0.03
  /// The factor by which a rise must exceed the usual change of the row.
  private static let prominence: Float = 6
  /// The frames over which changes are averaged: digits in the picture change rarely.
  private static let memory = 32
  /// The frames at the start of a take from which the usual changes are learnt; flashes there are not found.
  private static let firstFrames = 8
  /// A flash brightens at least one row of this many.
  private static let leastPart = 10
  /// The most frames that a flash brightens; a light that stays on is none.
  private static let longest = 64
  /// The frames around the end of a flash that are kept.
  private static let keptFrames = 8
  /// The most flashes in a take: the memory for more would be large, and no more are needed.
  package static let mostFlashes = 200
  /// The light of a row that is white from end to end.
  private static let white: Float = 0.95

  private var usual: [Float] = []
  /// The mean square of the change of each row from its usual light.
  private var unrest: [Float] = []
  private var learntCount = 0
  private var burst: Burst?
  /// The frame before, which is not learnt yet: a flash that begins in its last rows brightens too few of them.
  private var former: Rise?
  private var found: [Flash] = []
  private var (whiteRows, allRows) = (0, 0)
  /// Whether there were more than ``mostFlashes``; the further ones are left out.
  package private(set) var hasTooMany = false

  /// Creates a detector that has seen nothing.
  package init() {}

  /// The flashes so far, without those much weaker than the strongest.
  var flashes: [Flash] {
    let strongest = found.map(\.strength).max() ?? 0
    return found.filter { $0.strength >= strongest / 4 }
  }

  /// Whether most rows are white from end to end, so that no flash can brighten them.
  package var isSaturated: Bool { whiteRows > allRows / 2 }

  /// Looks at the next frame.
  ///
  /// - Parameters:
  ///   - rows: the mean light of each row, from 0 for black to 1 for white.
  ///   - frame: the frame's place in the take.
  package mutating func add(_ rows: [Float], of frame: Int) {
    if usual.isEmpty {
      (usual, unrest) = (rows, rows.map { _ in 0 })
      return
    }
    // A damaged frame.
    guard rows.count == usual.count else { return }
    whiteRows += rows.count { $0 > Self.white }
    allRows += rows.count
    let lit = rows.indices.count { rows[$0] - usual[$0] > leastRise(of: $0) }
    if learntCount < Self.firstFrames {
      learn(rows)
    } else if lit >= max(2, rows.count / Self.leastPart) {
      continueBurst(rows, frame)
    } else if burst != nil {
      endBurst(rows, frame)
    } else {
      if let former { learn(former.rows) }
      former = Rise(frame: frame, rows: rows)
    }
  }

  /// Ends the search after the last frame.
  package mutating func finish() {
    if let burst { keep(burst, after: burst.before) }
    burst = nil
  }

  private mutating func continueBurst(_ rows: [Float], _ frame: Int) {
    var next = burst ?? Burst(before: usual, brightest: rows)
    burst = nil
    if let former { next.add(former.rows, former.frame) }
    former = nil
    next.add(rows, frame)
    next.calmCount = 0
    // Another light: a lamp, or another scene. Or these changes are usual.
    guard next.count <= Self.longest else {
      learn(rows)
      usual = rows
      return
    }
    burst = next
  }

  /// Keeps the flash when two frames have the usual light again: the first may have a few lit rows.
  private mutating func endBurst(_ rows: [Float], _ frame: Int) {
    guard var next = burst else { return }
    burst = nil
    next.calmCount += 1
    guard next.calmCount > 1 else {
      next.add(rows, frame)
      burst = next
      return
    }
    keep(next, after: rows)
    usual = rows
  }

  private mutating func keep(_ burst: Burst, after: [Float]) {
    guard found.count < Self.mostFlashes else {
      hasTooMany = true
      return
    }
    let level = zip(burst.before, after).map { ($0 + $1) / 2 }
    let frames = burst.frames.map { Rise(frame: $0.frame, rows: zip($0.rows, level).map { $0 - $1 }) }
    found.append(Flash(frames: frames, brightening: zip(burst.brightest, level).map { max(0, $0 - $1) }))
  }

  /// Returns the least rise of a row that counts.
  func leastRise(of row: Int) -> Float {
    max(Self.leastRise, Self.prominence * unrest[row].squareRoot())
  }

  /// Learns the usual light from a frame without a flash.
  private mutating func learn(_ rows: [Float]) {
    learntCount = min(learntCount + 1, Self.memory)
    for index in rows.indices {
      let change = rows[index] - usual[index]
      unrest[index] += (change * change - unrest[index]) / Float(learntCount)
      usual[index] += change / 4
    }
  }
}
