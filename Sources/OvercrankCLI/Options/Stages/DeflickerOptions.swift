import ArgumentParser
import Overcrank

/// The option that evens out the light of a clip.
struct DeflickerOptions: StageOptions {
  @Flag(help: ArgumentHelp("Even out flicker from lamps on 50 or 60 Hz mains.", visibility: .rare))
  var deflicker = false

  var stage: (any PictureStage)? { deflicker ? Deflicker() : nil }

  static var options: Known { ["--deflicker": { $0.deflicker }] }

  static func words(for stages: PictureStages) -> [String] {
    stages[Deflicker.self] == nil ? [] : ["--deflicker"]
  }
}
