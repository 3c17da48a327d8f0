public import ArgumentParser
public import Overcrank

/// The option for interlaced sources, which no camera delivers.
struct DeinterlaceOptions: StageOptions {
  @Option(
    help: ArgumentHelp(
      """
      Make a frame from each field of an interlaced FILE, which doubles the frame rate. The field that was \
      captured first is the one that FILE states (auto), the one with the top line (top), or the other one \
      (bottom).
      """, visibility: .rare))
  var deinterlace: DeinterlacingOptions?

  var stage: (any PictureStage)? { deinterlace }

  static var options: Known { ["--deinterlace": { $0.deinterlace != nil }] }

  static func words(for stages: PictureStages) -> [String] {
    stages[DeinterlacingOptions.self].map { ["--deinterlace", $0.rawValue] } ?? []
  }
}

extension DeinterlacingOptions: ExpressibleByArgument {
  /// Creates the options from a word for the order of fields, in any case.
  public init?(argument: String) { self.init(rawValue: argument.lowercased()) }
}
