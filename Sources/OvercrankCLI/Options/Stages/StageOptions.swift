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

/// The options of all stages of clips, in the order in which help lists them.
struct AllStageOptions: ParsableArguments {
  @OptionGroup var crop: CropOptions
  @OptionGroup var zoom: ZoomOptions
  @OptionGroup var scale: ScaleOptions
  @OptionGroup var development: DevelopmentArguments
  @OptionGroup var deflicker: DeflickerOptions
  @OptionGroup var stamp: StampOptions
  @OptionGroup var text: TextOptions

  /// What they ask for.
  var stages: PictureStages {
    get throws { try groups.reduce(PictureStages()) { $0.with(try $1.options.stage) } }
  }

  /// The options that were given.
  var given: [String] { groups.flatMap(\.options.given) }

  /// The options that ask for `stages`.
  static func words(for stages: PictureStages) -> [String] {
    AllStageOptions().groups.flatMap { type(of: $0).kind.words(for: stages) }
  }

  /// The properties above, found as the parser finds them.
  private var groups: [any StageGroup] {
    Mirror(reflecting: self).children.compactMap { $0.value as? any StageGroup }
  }
}

/// What holds the options of one stage.
private protocol StageGroup {
  static var kind: any StageOptions.Type { get }
  var options: any StageOptions { get }
}

extension OptionGroup: StageGroup where Value: StageOptions {
  fileprivate static var kind: any StageOptions.Type { Value.self }
  fileprivate var options: any StageOptions { wrappedValue }
}
