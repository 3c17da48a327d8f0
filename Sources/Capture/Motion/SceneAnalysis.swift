import Timebase

/// A detector of lasting scene changes in samples of a scene, without threads and clocks.
///
/// Each sample is compared with the known scene. Objects that move through it are gone a second later, and a
/// change of the light changes all of it in the same way; neither counts.
struct SceneAnalysis {
  /// The minimum time between samples.
  static let interval = Duration.milliseconds(200)
  /// The time for which a scene must have changed before that is reported.
  static let lasting = Duration.seconds(1)
  /// The time for which a camera may adjust its exposure at first.
  static let warmUp = Duration.milliseconds(500)
  /// The minimum share of the picture that differs in another scene.
  static let share = 0.3
  /// The change of luma above which a cell counts as changed, in steps of 0 to 255.
  static let threshold = 25
  /// The change of the light as a whole above which the scene is not judged, as a logarithm: 6 %.
  private static let leastLight = 0.06
  /// The share of the picture that must follow a change of the light.
  private static let lightShare = 0.75

  private let field: MotionField
  private var firstLook: Instant?
  /// The known scene.
  private var known: LumaGrid?
  /// The samples since the scene changed, the newest last.
  private var others: [(time: Instant, grid: LumaGrid)] = []
  private var newest: Instant?

  init(_ field: MotionField) { self.field = field }

  /// Analyses a sample taken at `time`, on the frames' clock. Returns the changed share of the picture if the
  /// scene has changed for good.
  mutating func look(_ grid: LumaGrid, at time: Instant) -> Double? {
    // If time goes back, this is another stream.
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
    // Chooses the newest sample that is old enough; those before it are no longer needed.
    guard let place = others.lastIndex(where: { time - $0.time >= Self.lasting }) else { return nil }
    others.removeFirst(place)
    // A scene that still changes is not a new one yet.
    guard difference(grid, others[0].grid).score < Self.share / 2 else { return nil }
    self.known = grid
    others = []
    return change.isLight ? nil : change.score
  }

  /// Restarts the time for which a change must last, after a while without samples.
  mutating func pause() { others = [] }

  private mutating func forget() {
    known = nil
    firstLook = nil
    others = []
  }

  /// Returns the share of the picture that differs, and whether the light as a whole caused that.
  private func difference(_ grid: LumaGrid, _ other: LumaGrid) -> (score: Double, isLight: Bool) {
    let comparison = MotionComparison(grid, with: other, in: field, threshold: Self.threshold)
    let isLight =
      comparison.lightChange.magnitude > Self.leastLight && comparison.lightShare >= Self.lightShare
    return (Double(comparison.changedCount) / Double(field.count), isLight)
  }
}
