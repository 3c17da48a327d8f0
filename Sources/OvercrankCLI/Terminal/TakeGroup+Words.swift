import Foundation
import Overcrank

extension TakeGroup {
  /// Returns where the cameras' frames lie, for people.
  func summary(_ path: FilePath) -> String {
    var lines = cameras.dropFirst().map { camera in
      let offset = camera.offset / .milliseconds(1)
      let bound =
        camera.uncertainty.map { ", give or take \(Self.milliseconds($0 / .milliseconds(1)))" } ?? ""
      return
        "\(camera.name) begins \(Self.milliseconds(offset.magnitude)) \(offset < 0 ? "before" : "after") "
        + "\(cameras.first?.name ?? "A")\(bound)."
    }
    lines.append("\(path): the cameras' frames on one clock.")
    return lines.joined(separator: "\n")
  }

  private static func milliseconds(_ value: Double) -> String {
    value == 0 ? "0 ms" : value < 10 ? String(format: "%.3f ms", value) : String(format: "%.1f ms", value)
  }
}
