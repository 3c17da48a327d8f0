import ArgumentParser
import Retime

/// The options of one stage of a clip's pictures.
protocol StageOptions: ParsableArguments {
  /// What they ask for; `nil` for nothing.
  var stage: (any PictureStage)? { get throws }
  /// Those that were given.
  var given: [String] { get }
  /// The options that ask for what `stages` have of it.
  static func words(for stages: PictureStages) -> [String]
}

/// The options of all stages of clips.
struct AllStageOptions: ParsableArguments {
  @OptionGroup var crop: CropOptions
  @OptionGroup var zoom: ZoomOptions
  @OptionGroup var scale: ScaleOptions
  @OptionGroup var development: DevelopmentArguments
  @OptionGroup var deflicker: DeflickerOptions
  @OptionGroup var stamp: StampOptions
  @OptionGroup var text: TextOptions

  private var all: [any StageOptions] { [crop, zoom, scale, development, deflicker, stamp, text] }

  /// What they ask for.
  var stages: PictureStages {
    get throws { try all.reduce(PictureStages()) { $0.with(try $1.stage) } }
  }

  /// The options that were given.
  var given: [String] { all.flatMap(\.given) }

  /// The options that ask for `stages`.
  static func words(for stages: PictureStages) -> [String] {
    // An empty command line has all groups too.
    ((try? Self.parse([]))?.all ?? []).flatMap { type(of: $0).words(for: stages) }
  }
}
