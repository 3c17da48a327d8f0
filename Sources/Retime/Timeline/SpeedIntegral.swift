import Timebase

/// The time in a clip of each moment of its source: the integral of 1 / speed over capture time.
///
/// Moments are whole numbers of 2^-60 seconds, and all arithmetic is on integers, so that every machine gets
/// the same result. If the speed changes linearly from a to b, the integral over d seconds is `d * ln(b / a)
/// / (b - a)`, which is `d * 2 / (a + b) * (1 + z^2 / 3 + z^4 / 5 + ...)` with `z = (b - a) / (a + b)`: it
/// contains no difference of nearly equal numbers. Stretches are cut where their speed doubles, so that z is
/// at most 1/3 and 19 terms reach the last bit. Speeds are kept to 2^-60 and shares of a stretch to 2^-60 of
/// it (2^-47 for one of a week), so that the error is below a nanosecond in a clip of an hour at the lowest
/// speed of 1/10000, and smaller in others: a millionth of an output frame at most.
struct SpeedIntegral {
  /// The number of fractional bits in a moment.
  static let fractionBits = 60

  /// A stretch of the source over which the speed changes linearly, at most to its double or half.
  struct Stretch {
    let start: Int128
    let end: Int128
    let startSpeed: Int128
    let endSpeed: Int128
    /// The exact speed if it is constant; otherwise `nil`.
    let constant: Fraction?
    /// The moment of the clip, without freezes, at which the stretch begins.
    var clipStart: Int128 = 0
  }

  let stretches: [Stretch]
  /// Moments of the source, ascending, each with the total length of all freezes up to it.
  private let freezes: [(moment: Int128, total: Int128)]

  init(_ curve: SpeedCurve) {
    var stretches: [Stretch] = []
    for (from, to) in zip(curve.points, curve.points.dropFirst())
    where Self.moment(to.time) > Self.moment(from.time) {
      stretches += Self.stretches(from, to)
    }
    if let first = curve.points.first, let last = curve.points.last {
      let (start, end) = (Self.moment(first.time), Self.moment(last.time))
      // The clip's time 0 is the source's: the first speed applies from there.
      stretches.insert(Stretch(from: 0, to: start, at: first.speed.factor), at: 0)
      stretches.append(Stretch(from: end, to: end, at: last.speed.factor))
    }
    for place in stretches.indices.dropFirst() {
      let before = stretches[place - 1]
      stretches[place].clipStart = before.clipStart + Self.integral(before, to: before.end)
    }
    self.stretches = stretches
    var total: Int128 = 0
    self.freezes = curve.freezes.map {
      total += Self.moment($0.duration)
      return (Self.moment($0.time), total)
    }
  }

  /// Returns the moment at `numerator / denominator` seconds.
  static func moment(_ numerator: Int128, _ denominator: Int128) -> Int128 {
    let (whole, rest) = numerator.quotientAndRemainder(dividingBy: denominator)
    return whole << fractionBits + (rest << fractionBits) / denominator
  }

  /// Returns the moment at this number of seconds.
  static func moment(_ seconds: Fraction) -> Int128 {
    moment(Int128(seconds.numerator), Int128(seconds.denominator))
  }

  /// Returns the moment at a duration in whole nanoseconds.
  static func moment(_ duration: Duration) -> Int128 {
    moment(Int128(duration.wholeNanoseconds), 1_000_000_000)
  }

  /// Returns the clip's moment for `moment` of the source, without freezes.
  func flowing(_ moment: Int128) -> Int128 {
    var (low, high) = (0, stretches.count)
    while low + 1 < high {
      let middle = (low + high) / 2
      if stretches[middle].start <= moment { low = middle } else { high = middle }
    }
    let stretch = stretches[low]
    return stretch.clipStart + Self.integral(stretch, to: moment)
  }

  /// Returns the total length of the freezes before `moment` of the source.
  func frozen(before moment: Int128) -> Int128 {
    var (low, high) = (0, freezes.count)
    while low < high {
      let middle = (low + high) / 2
      if freezes[middle].moment < moment { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? freezes[low - 1].total : 0
  }

  /// Returns the clip's moment for `moment` of the source; during a freeze, the freeze's start.
  func callAsFunction(_ moment: Int128) -> Int128 { flowing(moment) + frozen(before: moment) }
}

extension SpeedIntegral.Stretch {
  fileprivate init(from start: Int128, to end: Int128, at speed: Fraction) {
    let fixed = SpeedIntegral.moment(speed)
    self.init(start: start, end: end, startSpeed: fixed, endSpeed: fixed, constant: speed)
  }

  /// Returns the fraction of the stretch before `moment`, and its number of fractional bits.
  fileprivate func share(_ moment: Int128) -> (Int128, bits: Int) {
    let elapsed = moment - start
    let bits = min(SpeedIntegral.fractionBits, max(0, elapsed.leadingZeroBitCount - 2))
    return ((elapsed << bits) / max(1, end - start), bits)
  }

  /// Returns the speed at `moment`.
  func speed(_ moment: Int128) -> Int128 {
    let (share, bits) = share(moment)
    let change = (endSpeed - startSpeed).magnitude.multipliedFullWidth(by: share.magnitude)
    let size = Int128(truncatingIfNeeded: change.high << (128 - bits) | change.low >> bits)
    return endSpeed < startSpeed ? startSpeed - size : startSpeed + size
  }
}

extension SpeedIntegral {
  /// The number of linear pieces in an eased stretch. They define "eased" here, so that it can be calculated
  /// exactly.
  private static let easePieces: Int128 = 64

  /// Returns the stretches from one point to the next, cut where the speed doubles.
  private static func stretches(_ from: SpeedCurve.Point, _ to: SpeedCurve.Point) -> [Stretch] {
    let (start, end) = (moment(from.time), moment(to.time))
    guard from.speed != to.speed else { return [Stretch(from: start, to: end, at: from.speed.factor)] }
    let fixed = [from, to].map { moment($0.speed.factor) }
    guard to.isEased else {
      return halved(Stretch(start: start, end: end, startSpeed: fixed[0], endSpeed: fixed[1], constant: nil))
    }
    let pieces = easePieces
    let corners = (0...pieces).map { number in
      // 3 x^2 - 2 x^3, which is level at both ends.
      let risen = 3 * number * number * pieces - 2 * number * number * number
      return (
        moment: start + (end - start) * number / pieces,
        speed: fixed[0] + (fixed[1] - fixed[0]) * risen / (pieces * pieces * pieces)
      )
    }
    return zip(corners, corners.dropFirst()).flatMap { from, to in
      halved(
        Stretch(start: from.moment, end: to.moment, startSpeed: from.speed, endSpeed: to.speed, constant: nil)
      )
    }
  }

  /// Returns `stretch` in pieces over which the speed at most doubles or halves.
  private static func halved(_ stretch: Stretch) -> [Stretch] {
    var pieces: [Stretch] = []
    var (start, speed) = (stretch.start, stretch.startSpeed)
    let isRising = stretch.endSpeed > speed
    while isRising ? speed * 2 < stretch.endSpeed : speed / 2 > stretch.endSpeed {
      let next = isRising ? speed * 2 : speed / 2
      let share = ((next - stretch.startSpeed) << 59) / (stretch.endSpeed - stretch.startSpeed)
      let way = (stretch.end - stretch.start).multipliedFullWidth(by: share)
      let end = stretch.start + (way.high << 69 | Int128(truncatingIfNeeded: way.low >> 59))
      pieces.append(Stretch(start: start, end: end, startSpeed: speed, endSpeed: next, constant: nil))
      (start, speed) = (end, next)
    }
    pieces.append(
      Stretch(start: start, end: stretch.end, startSpeed: speed, endSpeed: stretch.endSpeed, constant: nil))
    return pieces
  }

  /// Returns the clip's time from the start of `stretch` to `moment`.
  private static func integral(_ stretch: Stretch, to moment: Int128) -> Int128 {
    let elapsed = moment - stretch.start
    if let speed = stretch.constant { return elapsed * Int128(speed.denominator) / Int128(speed.numerator) }
    guard elapsed > 0 else { return 0 }
    let speed = moment >= stretch.end ? stretch.endSpeed : stretch.speed(moment)
    let sum = stretch.startSpeed + speed
    let z = ((speed - stretch.startSpeed).magnitude << fractionBits) / sum.magnitude
    let square = (z * z) >> fractionBits
    var (power, series, odd) = (Int128.Magnitude(1) << fractionBits, Int128.Magnitude(0), Int128.Magnitude(1))
    while power > 0 {
      series += power / odd
      power = (power * square) >> fractionBits
      odd += 2
    }
    // The mean of clip seconds per source second.
    let pace = (series << (fractionBits + 1)) / sum.magnitude
    let product = elapsed.magnitude.multipliedFullWidth(by: pace)
    return Int128(truncatingIfNeeded: product.high << (128 - fractionBits) | product.low >> fractionBits)
  }
}
