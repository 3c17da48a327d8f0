import Timebase

/// Tells a scene that has become another for good, in looks at it, without threads and clocks.
///
/// Each look is compared with the scene as it was. What moves through it is gone a second later; light
/// that changes changes all of it in the same way. Only what is neither counts.
struct SceneAnalysis {
  /// How long it is from one look to the next, at least.
  static let interval = Duration.milliseconds(200)
  /// How long a scene is another before that is told.
  static let lasting = Duration.seconds(1)
  /// How long a camera may take at first to find its exposure.
  static let warmUp = Duration.milliseconds(500)
  /// Which part of the picture has changed in another scene.
  static let share = 0.3
  /// By how many steps of luma a cell has changed, at least.
  static let threshold = 25
  /// From which change of the light as a whole on nothing is said of the scene, as a logarithm: 6 %.
  private static let leastLight = 0.06
  /// How much of the picture follows a change of the light.
  private static let lightShare = 0.75

  private let field: MotionField
  private var firstLook: Instant?
  /// The scene as it was.
  private var known: LumaGrid?
  /// The looks since the scene is another, the newest last.
  private var others: [(time: Instant, grid: LumaGrid)] = []
  private var newest: Instant?

  init(_ field: MotionField) { self.field = field }

  /// Takes in a look at `time`, on the frames' clock; which part of the picture has changed, where the
  /// scene has become another for good.
  mutating func look(_ grid: LumaGrid, at time: Instant) -> Double? {
    // Time that goes back is another stream's.
    if let newest, time <= newest { forget() }
    newest = time
    let start = firstLook ?? time
    firstLook = start
    guard let known else {
      if time - start >= Self.warmUp { self.known = grid }
      return nil
    }
    let change = difference(grid, known)
    guard change.score >= Self.share || change.isLight else {
      others = []
      return nil
    }
    others.append((time, grid))
    // The newest look that is old enough; those before it are needed no more.
    guard let place = others.lastIndex(where: { time - $0.time >= Self.lasting }) else { return nil }
    others.removeFirst(place)
    // A scene that still changes is none yet.
    guard difference(grid, others[0].grid).score < Self.share / 2 else { return nil }
    self.known = grid
    others = []
    return change.isLight ? nil : change.score
  }

  /// Begins a scene's duration anew: it was not looked at for a while.
  mutating func pause() { others = [] }

  private mutating func forget() {
    known = nil
    firstLook = nil
    others = []
  }

  /// Which part of the picture differs, and whether that is the light as a whole.
  private func difference(_ grid: LumaGrid, _ other: LumaGrid) -> (score: Double, isLight: Bool) {
    let comparison = MotionComparison(grid, with: other, in: field, threshold: Self.threshold)
    let isLight =
      comparison.lightChange.magnitude > Self.leastLight && comparison.lightShare >= Self.lightShare
    return (Double(comparison.changedCount) / Double(field.count), isLight)
  }
}
