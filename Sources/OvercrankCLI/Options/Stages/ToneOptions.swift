public import ArgumentParser
public import Overcrank

/// The option for the high dynamic range of a source.
struct ToneOptions: StageOptions {
  @Option(
    help: ArgumentHelp(
      "A source's high dynamic range (HLG, PQ): sdr maps it to the standard range, keep keeps it. (default: sdr for "
        + "h264 and mjpeg, keep for codecs with 10 bits)", visibility: .rare))
  var tone: ToneMapping?

  var stage: (any PictureStage)? { tone }

  static var options: Known { ["--tone": { $0.tone != nil }] }

  static func words(for stages: PictureStages) -> [String] {
    stages[ToneMapping.self].map { ["--tone", $0.rawValue] } ?? []
  }
}

extension ToneMapping: ExpressibleByArgument {
  /// Reads a treatment in any case.
  public init?(argument: String) { self.init(rawValue: argument.lowercased()) }
}
