import Foundation

/// A simulated camera with small pictures, for tests that need no large ones: 320x180 at 240 fps or less, and
/// 640x360 at 60 fps.
public enum SmallCamera {
  private static let table = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../Fixtures/small-camera.json").standardizedFileURL.path

  /// Returns its name in virtual time.
  ///
  /// - Parameter faults: such as `drop=20-24,fail=300`.
  public static func inVirtualTime(_ faults: String = "") -> String { name("clock=virtual", faults) }

  /// Returns its name in real time.
  public static func inRealTime(_ faults: String = "") -> String { name(faults) }

  private static func name(_ options: String...) -> String {
    "sim:" + ([table] + options).filter { !$0.isEmpty }.joined(separator: ",")
  }
}
