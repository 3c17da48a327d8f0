import Overcrank

extension TakeGroup {
  /// Returns where the cameras' frames lie, for people.
  func summary(_ path: FilePath) -> String {
    var lines = cameras.dropFirst().map { camera in
      let bound = camera.uncertainty.map { ", give or take \($0.bound)" } ?? ""
      return
        "\(camera.name) begins \(camera.offset.milliseconds) \(camera.offset < .zero ? "before" : "after") "
        + "\(cameras.first?.name ?? "A")\(bound)."
    }
    lines.append("\(path): the cameras' frames on one clock.")
    return lines.joined(separator: "\n")
  }
}

extension Duration {
  /// The length in milliseconds, to the microsecond, as text.
  var milliseconds: String {
    self == .zero || inSeconds.magnitude >= Self.microsecond
      ? "\((inSeconds.magnitude * Fraction(1000)).decimal(places: 3)) ms" : bound
  }

  /// An error of at most this length, in milliseconds as text: never zero, because no clock is that exact.
  var bound: String { inSeconds.magnitude < Self.microsecond ? "less than 0.001 ms" : milliseconds }

  private static let microsecond = Fraction(1, 1_000_000)
}
