import ArgumentParser
import Overcrank

/// The option that writes a frame's time, number and rate into it.
struct StampOptions: StageOptions {
  @Flag(
    help: ArgumentHelp(
      "Write capture time, frame number and rate into each frame, in the lower left.", visibility: .rare))
  var stamp = false

  var stage: (any PictureStage)? { stamp ? FrameStamp() : nil }

  static var options: Known { ["--stamp": { $0.stamp }] }

  static func words(for stages: PictureStages) -> [String] {
    stages[FrameStamp.self] == nil ? [] : ["--stamp"]
  }
}
