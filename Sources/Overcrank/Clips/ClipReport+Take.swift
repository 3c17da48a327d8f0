import Media
public import Retime
public import SystemPackage
public import Takes
import Timebase

extension ClipReport {
  /// Returns the entry of the clip in its take.
  public func clip(named path: FilePath, spec: ClipSpec) -> Take.Clip {
    Take.Clip(
      file: path.name,
      speed: spec.speed?.description ?? Speed(speed)?.description ?? "\(speed)",
      framesPerSecond: framesPerSecond.doubleValue, frames: outputFrames, held: held,
      skipped: skipped, flicker: flicker?.entry,
      interpolation: spec.render.flatMap { $0.fill.isInterpolated ? interpolation.entry($0.fill) : nil },
      development: development?.entry(developmentSource), madeWhileRecording: madeWhileRecording,
      spec: spec.description)
  }
}

extension RawDevelopment {
  /// Returns the entry of the development in a take.
  func entry(_ source: DevelopmentSource?) -> Take.Clip.Development {
    func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }
    return Take.Clip.Development(
      black: rounded(black), from: source?.black.rawValue, profile: source?.profile,
      whiteBalance: gains.map(rounded), matrix: matrix?.map(rounded))
  }
}

extension ClipReport.Interpolation {
  /// Returns the entry of the interpolation in a take.
  func entry(_ fill: Fill) -> Take.Clip.Interpolation {
    Take.Clip.Interpolation(
      fill: fill.rawValue, frames: frames, framesInGaps: framesInGaps,
      heldPercent: (heldPart * 10_000).rounded() / 100)
  }
}

extension ClipReport.Flicker {
  /// The entry of the flicker in a take.
  var entry: Take.Clip.Flicker {
    switch self {
    case .none: Take.Clip.Flicker()
    case .evened(let hertz, let before, let after):
      Take.Clip.Flicker(
        hertz: hertz, depthPercent: Self.rounded(before), depthAfterPercent: after.map(Self.rounded))
    }
  }

  /// Returns a depth in percent, to a hundredth.
  private static func rounded(_ depth: Double) -> Double { (depth * 10_000).rounded() / 100 }
}
