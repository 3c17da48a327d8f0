import Foundation

/// A take of invented files, for tests that only list or move takes.
public struct StagedTake {
  /// The common name of its files.
  public var name: String
  /// The content of the take file, by key.
  public var content: [String: Any]
  /// Bytes of the master; `nil` for none.
  public var master: Int? = 100
  /// Bytes of the clip; `nil` for none.
  public var clip: Int? = 50

  /// Creates a take of three frames, with a master and a clip of noise.
  public init(_ name: String, startedAt: String = "2026-01-01T00:00:00Z", version: String = "0.1.0") {
    self.name = name
    content = [
      "overcrank": version, "camera": ["name": "sim:", "card": "Simulated camera"],
      "mode": ["fourcc": "MJPG", "width": 1280, "height": 720, "interval": [1, 240]],
      "label": NSNull(), "trigger": NSNull(), "failure": NSNull(), "wanted_clip": NSNull(),
      "clock": "monotonic", "timed_at_dequeue": [Int](), "started_at": startedAt,
      "frames": ["sent": 4, "written": 3, "lost": ["driver": 1, "corrupt": 0, "ring": 0, "disk": 0]],
      "losses": [["sequence": 1, "count": 1, "stage": "driver"]], "sequence_reliable": true,
      "measured_fps": 240, "controls": [String: Any](), "recovered": false, "master": "\(name).master.mov",
      "clips": [["file": "\(name).mp4", "speed": "1/8", "fps": 30, "frames": 4, "held": 1]],
    ]
  }

  /// Writes its files to `folder`. The lists come last in the take file.
  public func write(to folder: String) throws {
    var chance = SplitMix(state: UInt64(truncatingIfNeeded: name.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) }))
    func noise(_ count: Int) -> Data {
      Data((0..<count).map { _ in UInt8(truncatingIfNeeded: chance.next()) })
    }
    if let master { try noise(master).write(to: URL(filePath: "\(folder)/\(name).master.mov")) }
    if let clip { try noise(clip).write(to: URL(filePath: "\(folder)/\(name).mp4")) }
    var text = try JSONSerialization.data(withJSONObject: content, options: .sortedKeys)
    text.removeLast()
    text += Data(#","sequence":[0,2,3],"timestamp_ns":[10,8333343,12500010]}"#.utf8)
    try text.write(to: URL(filePath: "\(folder)/\(name).take.json"))
  }
}
