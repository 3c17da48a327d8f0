import Glibc
import Timebase

/// A motion detector for samples of a scene, without threads and clocks.
///
/// Each sample is compared with one about a thirtieth of a second older. Motion begins once; it can begin
/// again after stillness.
struct MotionAnalysis {
  /// The result for a sample.
  struct Reading {
    /// The changed cells.
    var changed: [UInt8]
    /// The changed share of the counted cells, from 0 to 1.
    var score: Double
    /// Whether motion begins here.
    var isOnset: Bool
    /// Whether something moves, or did until just now.
    var isMoving: Bool
    /// The factor by which the whole scene became brighter, if a change of the light has just ended.
    var light: Double?
    /// The latest time at which the scene was still, at most `longestOnset` before the sample.
    var stillUntil: Instant
  }

  private let field: MotionField
  private let settings: MotionSettings
  /// The recent samples, the newest last.
  private var looks: [(time: Instant, grid: LumaGrid)] = []
  private var firstLook: Instant?
  private var isArmed = true
  /// The latest time of motion after an onset.
  private var lastMotion: Instant?
  private var stillUntil: Instant?
  /// The recent rise and fall of the light, as logarithms; flickering lamps cause both continuously.
  private var swing = (up: 0.0, down: 0.0)
  /// The current change of the light.
  private var change: LightChange?

  private struct LightChange {
    var start: Instant
    /// The time of the latest change.
    var last: Instant
    /// The threshold above the preceding flicker of the lamps.
    var limit: Double
    /// The scene before the change.
    var before: LumaGrid
  }

  /// The age of the sample that another is compared with.
  static let referenceAge = Duration.seconds(1) / 30
  /// The time for which the light is observed before anything counts.
  static let warmUp = Duration.milliseconds(500)
  /// The time of stillness before motion can begin again.
  static let stillness = Duration.milliseconds(500)
  /// The maximum time from the beginning of a motion to its detection.
  static let longestOnset = Duration.milliseconds(250)
  /// The time without detection after a change of the light, which may continue and to which the camera
  /// adapts.
  private static let lightPause = Duration.milliseconds(150)
  /// A change of the light that lasts longer is the flicker of a lamp.
  private static let longestChange = Duration.seconds(2)
  /// The smallest reported change of the light, as a logarithm: 6 %.
  private static let leastLight = 0.06
  /// The share of the picture that must follow a change of the light.
  private static let lightShare = 0.75
  /// The factor by which a lamp may exceed the smaller of its two swings, because samples hit only three of
  /// its phases.
  private static let lampFactor = 2.5
  /// The decay time of a lamp's swing, in seconds.
  private static let swingMemory = 2.0

  init(_ field: MotionField, _ settings: MotionSettings) {
    self.field = field
    self.settings = settings
  }

  /// Analyses a sample taken at `time`, on the frames' clock; `nil` if there is nothing to compare it with.
  mutating func look(_ grid: LumaGrid, at time: Instant) -> Reading? {
    if let newest = looks.last, time <= newest.time { forget() }
    defer { looks.append((time, grid)) }
    let start = firstLook ?? time
    firstLook = start
    // Chooses the sample whose age is closest to the intended one; older ones are no longer needed.
    guard
      let place = looks.indices.min(by: {
        (time - looks[$0].time - Self.referenceAge).magnitude
          < (time - looks[$1].time - Self.referenceAge).magnitude
      })
    else { return nil }
    let reference = looks[place]
    looks.removeFirst(place)
    let comparison = MotionComparison(
      grid, with: reference.grid, in: field, threshold: settings.threshold)
    let score = Double(comparison.changedCount) / Double(field.count)
    let wasSteady = change == nil
    let light = noteLight(comparison, grid, since: reference, at: time)
    let counts = time - start >= Self.warmUp && change == nil
    if score < settings.area / 10 { stillUntil = max(reference.time, start) }
    var isOnset = counts && isArmed && score >= settings.area
    if settings.countsLight, isArmed, wasSteady, change != nil { isOnset = true }
    if isOnset {
      isArmed = false
      lastMotion = time
    } else if !isArmed, score >= settings.area / 2 {
      lastMotion = time
    } else if let last = lastMotion, time - last >= Self.stillness {
      isArmed = true
      lastMotion = nil
    }
    return Reading(
      changed: comparison.changed, score: score, isOnset: isOnset, isMoving: lastMotion != nil,
      light: light, stillUntil: max(stillUntil ?? start, time - Self.longestOnset))
  }

  /// Resets the analysis, because time went back: this is another stream.
  private mutating func forget() {
    looks = []
    firstLook = nil
    stillUntil = nil
    lastMotion = nil
    change = nil
  }

  /// Updates the state of the light. Returns the factor of its change once that has ended.
  private mutating func noteLight(
    _ comparison: MotionComparison, _ grid: LumaGrid, since reference: (time: Instant, grid: LumaGrid),
    at time: Instant
  ) -> Double? {
    let amount = comparison.lightChange
    defer {
      // The interval between samples is half the reference's age.
      let fading = exp(-((time - reference.time) / .seconds(1)) / 2 / Self.swingMemory)
      swing = (max(amount, swing.up * fading), max(-amount, swing.down * fading))
    }
    let usual = Self.lampFactor * min(swing.up, swing.down) + Self.leastLight
    let isChange = amount.magnitude > change?.limit ?? usual && comparison.lightShare >= Self.lightShare
    if let known = change {
      if isChange { change?.last = time }
      guard time - known.last >= Self.lightPause || time - known.start >= Self.longestChange else {
        return nil
      }
      change = nil
      let whole = MotionComparison(grid, with: known.before, in: field, threshold: settings.threshold)
        .lightChange
      // A flash leaves no change.
      return whole.magnitude > Self.leastLight ? exp(whole) : nil
    }
    // Nothing is known of the lamps yet.
    guard isChange, let firstLook, time - firstLook >= Self.warmUp else { return nil }
    change = LightChange(start: time, last: time, limit: usual, before: reference.grid)
    return nil
  }
}

extension Duration {
  fileprivate var magnitude: Duration { self < .zero ? .zero - self : self }
}
