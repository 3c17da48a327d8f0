import ArgumentParser
import Overcrank

/// The options for developing a raw video.
struct DevelopmentArguments: StageOptions {
  /// The choice of whether raw videos are developed.
  enum Choice: String, ExpressibleByArgument, CaseIterable {
    case auto, none
  }

  @Option(
    help: ArgumentHelp(
      """
      How to show a raw sensor's values: auto subtracts the black level, balances the colours and applies \
      sRGB's transfer function, none shows them as they are. (default: auto for Bayer, and for grey from a \
      sensor)
      """, visibility: .rare))
  var develop: Choice?

  @Option(
    name: .customLong("white-balance"), parsing: .unconditional,
    help: ArgumentHelp(
      "The factors for a raw sensor's red, green and blue, such as 1.9,1,1.6; auto makes the source grey on "
        + "average, none leaves the colours as they are. (default: auto)",
      valueName: "balance", visibility: .rare),
    completion: .list(["auto", "none"]),
    transform: { try Self.whiteBalance($0) })
  var whiteBalance: DevelopmentOptions.WhiteBalance?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "A raw sensor's value without light, in its own steps: 64 of 1023. (default: the sensor's value in a "
        + "profile, else the darkest value in the source, at most 6.25 % of the range)",
      valueName: "steps", visibility: .rare))
  var black: Int?

  func validate() throws {
    try refuseConflicts()
    if let black, !(0...65535).contains(black) {
      throw ValidationError(
        "--black \(black) is not a level of a sensor: give it in the sensor's steps, such as 64.")
    }
  }

  private static func whiteBalance(_ text: String) throws -> DevelopmentOptions.WhiteBalance {
    switch text {
    case "auto": return .auto
    case "none": return .none
    default:
      let gains = text.split(separator: ",", omittingEmptySubsequences: false)
        .map { Fraction(text: $0)?.doubleValue }
      guard gains.count == 3, let red = gains[0], let green = gains[1], let blue = gains[2],
        [red, green, blue].allSatisfy({ DevelopmentOptions.WhiteBalance.factors.contains($0) })
      else {
        throw QuantityError(
          text,
          expected: "auto, none, or factors for red, green and blue from 0.0625 to 16, such as 1.9,1,1.6")
      }
      return .gains(red: red, green: green, blue: blue)
    }
  }

  static var options: Known {
    [
      "--develop": { $0.develop != nil }, "--white-balance": { $0.whiteBalance != nil },
      "--black": { $0.black != nil }, "--develop none": { $0.develop == Choice.none },
    ]
  }

  /// The development of raw videos; `nil` for none.
  var stage: (any PictureStage)? {
    guard develop != Choice.none else { return nil }
    return DevelopmentOptions(
      whiteBalance: whiteBalance ?? .auto, black: black, isForced: !given.isEmpty)
  }

  static func words(for stages: PictureStages) -> [String] {
    guard let development = stages[DevelopmentOptions.self] else { return ["--develop", "none"] }
    guard development.isForced else { return [] }
    let balance: [String] =
      switch development.whiteBalance {
      case .auto: []
      case .none: ["--white-balance", "none"]
      case .gains(let red, let green, let blue):
        [
          "--white-balance",
          [red, green, blue].map {
            Fraction(Int64(clamping: ($0 * 1e6).rounded()), 1_000_000).decimal(places: 6)
          }
          .joined(separator: ","),
        ]
      }
    return ["--develop", "auto"] + balance + (development.black.map { ["--black", "\($0)"] } ?? [])
  }
}
