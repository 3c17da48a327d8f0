import ArgumentParser
import Overcrank

/// The options of one picture stage.
protocol StageOptions: RuledOptions {
  typealias Known = KeyValuePairs<String, (Self) -> Bool>

  /// The stage that the options request; `nil` for none.
  var stage: (any PictureStage)? { get throws }
  /// The names of the options, each with a test of whether it was given.
  static var options: Known { get }
  /// Returns the options that request this stage as `stages` has it.
  static func words(for stages: PictureStages) -> [String]
}

extension StageOptions {
  /// The options that were given.
  var given: [String] { Self.options.filter { $0.value(self) }.map(\.key) }

  static var names: [String] { options.map(\.key) }
}

/// The options of all stages of clips, in the order in which help lists them.
struct AllStageOptions: ParsableArguments {
  @OptionGroup var crop: CropOptions
  @OptionGroup var zoom: ZoomOptions
  @OptionGroup var scale: ScaleOptions
  @OptionGroup var tone: ToneOptions
  @OptionGroup var development: DevelopmentArguments
  @OptionGroup var deflicker: DeflickerOptions
  @OptionGroup var stamp: StampOptions
  @OptionGroup var text: TextOptions
  @OptionGroup var order: OrderOptions

  /// The stages that the options request.
  var stages: PictureStages {
    get throws { try groups.reduce(PictureStages()) { $0.with(try $1.options.stage) } }
  }

  /// The options that were given.
  var given: [String] { groups.flatMap(\.options.given) }

  /// The names of all stage options.
  static var names: [String] { kinds.flatMap { $0.names } }

  /// Returns the options that request `stages`.
  static func words(for stages: PictureStages) -> [String] { kinds.flatMap { $0.words(for: stages) } }

  private static var kinds: [any StageOptions.Type] { AllStageOptions().groups.map { type(of: $0).kind } }

  /// The option groups above, found by reflection as the parser finds them.
  private var groups: [any StageGroup] {
    Mirror(reflecting: self).children.compactMap { $0.value as? any StageGroup }
  }
}

/// The options of one stage.
private protocol StageGroup {
  static var kind: any StageOptions.Type { get }
  var options: any StageOptions { get }
}

extension OptionGroup: StageGroup where Value: StageOptions {
  fileprivate static var kind: any StageOptions.Type { Value.self }
  fileprivate var options: any StageOptions { wrappedValue }
}
