import Glibc
import Timebase

/// Tells motion in looks at a scene, without threads and clocks.
///
/// Each look is compared with one about a thirtieth of a second before it. Motion begins once; it
/// can begin again after stillness.
struct MotionAnalysis {
  /// What a look says.
  struct Reading {
    /// The cells that changed.
    var changed: [UInt8]
    /// Which part of the cells that count these are, from 0 to 1.
    var score: Double
    /// Whether motion begins here.
    var isOnset: Bool
    /// Whether something moves, or has until just now.
    var isMoving: Bool
    /// How many times as bright all has become, where a change of the light has just come to its end.
    var light: Double?
    /// When the scene was still for the last time before: not before the ring's memory of it.
    var stillUntil: Instant
  }

  private let field: MotionField
  private let settings: MotionSettings
  /// The last looks, the newest last.
  private var looks: [(time: Instant, grid: LumaGrid)] = []
  private var firstLook: Instant?
  private var isArmed = true
  /// When the scene was last moving, after an onset.
  private var lastMotion: Instant?
  private var stillUntil: Instant?
  /// How far the light has become brighter and darker lately, as logarithms: lamps that flicker do
  /// both, all the time.
  private var swing = (up: 0.0, down: 0.0)
  /// A change of the light that goes on.
  private var change: LightChange?

  private struct LightChange {
    var start: Instant
    /// When the light has changed for the last time.
    var last: Instant
    /// What is more than the swing of lamps before it.
    var limit: Double
    /// The scene before it.
    var before: LumaGrid
  }

  /// How old the look is that another is compared with.
  static let referenceAge = Duration.seconds(1) / 30
  /// How long the light is watched before anything counts.
  static let warmUp = Duration.milliseconds(500)
  /// How long a scene is still before motion can begin anew.
  static let stillness = Duration.milliseconds(500)
  /// How far before it is told of motion may have begun.
  static let longestOnset = Duration.milliseconds(250)
  /// How long nothing counts after the light has changed: it may go on changing, and the camera adapts.
  private static let lightPause = Duration.milliseconds(150)
  /// Light that still changes after so long is a lamp that flickers.
  private static let longestChange = Duration.seconds(2)
  /// The least change of the light that is told, as a logarithm: 6 %.
  private static let leastLight = 0.06
  /// How much of the picture follows a change of the light.
  private static let lightShare = 0.75
  /// How much further than the lesser of its two swings a lamp may go: looks meet three phases of it.
  private static let lampFactor = 2.5
  /// How long a lamp's swing is remembered, in seconds.
  private static let swingMemory = 2.0

  init(_ field: MotionField, _ settings: MotionSettings) {
    self.field = field
    self.settings = settings
  }

  /// Takes in a look at `time`, on the frames' clock; `nil` where there is nothing to compare it with.
  mutating func look(_ grid: LumaGrid, at time: Instant) -> Reading? {
    if let newest = looks.last, time <= newest.time { forget() }
    defer { looks.append((time, grid)) }
    let start = firstLook ?? time
    firstLook = start
    // The one whose age is nearest to what it should be; older ones are needed no more.
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

  /// Begins anew, as time has gone back: another stream.
  private mutating func forget() {
    looks = []
    firstLook = nil
    stillUntil = nil
    lastMotion = nil
    change = nil
  }

  /// Takes in how the light has changed; by how many times, once it has come to rest after a change.
  private mutating func noteLight(
    _ comparison: MotionComparison, _ grid: LumaGrid, since reference: (time: Instant, grid: LumaGrid),
    at time: Instant
  ) -> Double? {
    let amount = comparison.lightChange
    defer {
      // Looks come at half the age of what they are compared with.
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
      // After a flash all is as before.
      return whole.magnitude > Self.leastLight ? exp(whole) : nil
    }
    // At first nothing is known of the lamps.
    guard isChange, let firstLook, time - firstLook >= Self.warmUp else { return nil }
    change = LightChange(start: time, last: time, limit: usual, before: reference.grid)
    return nil
  }
}

extension Duration {
  fileprivate var magnitude: Duration { self < .zero ? .zero - self : self }
}
