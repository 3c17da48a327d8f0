import ArgumentParser
import Overcrank
import StudioServer

/// The option for further cameras of a recording.
struct GroupOptions: ParsableArguments {
  @Option(
    name: .customLong("with"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Record with this camera too, at the same moment; may be repeated.",
      discussion: """
        Its own mode follows its name: --with usb:3,fps=120,size=720p,format=mjpeg. The files of the cameras are NAME-A, \
        NAME-B and so on, and NAME.group.json places their frames on one clock.
        """.rare,
      valueName: "camera", visibility: .rare),
    completion: .camera, transform: { try FurtherCamera(text: $0) })
  var with: [FurtherCamera] = []

  /// Whether several cameras record.
  var isUsed: Bool { !with.isEmpty }

  /// The options that were given.
  var given: [String] { [String](given: ["--with": isUsed]) }
}

/// A camera that records with others, and its own wishes for a mode.
struct FurtherCamera: Hashable, Sendable {
  /// The camera's name.
  let name: String
  /// The rate; `nil` for that of all cameras.
  private(set) var rate: RequestedRate?
  /// The size; `nil` for that of all cameras.
  private(set) var quality: Quality?
  /// The kind of format; `nil` for that of all cameras.
  private(set) var format: FormatFilter?

  /// The keys of its own wishes. No fault of a simulated camera has these names.
  private enum Key: String, CaseIterable { case fps, size, format }

  /// Reads `CAMERA,fps=120,size=720p,format=mjpeg`.
  init(text: String) throws(QuantityError) {
    var name: [String] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
      let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard words.count == 2, let key = Key(rawValue: words[0]) else {
        name.append(part)
        continue
      }
      switch key {
      case .fps: rate = try RequestedRate(text: words[1])
      case .size: quality = try Quality(text: words[1])
      case .format: format = try FormatFilter(text: words[1])
      }
    }
    self.name = name.joined(separator: ",")
    guard !self.name.isEmpty else {
      throw QuantityError(text, expected: "a camera, such as 2 or sim:, then its own fps=, size= or format=")
    }
  }
}

extension FurtherCamera {
  /// Returns the camera with the wishes of `mode` where it has none of its own.
  func camera(
    _ device: CaptureDevice, _ mode: ModeOptions, _ capture: CaptureSettings
  ) -> GroupCamera {
    GroupCamera(
      device, rate: rate ?? mode.fps, criteria: criteria(mode), quality: quality(mode), capture: capture)
  }

  /// Returns the camera of a studio with the wishes of `mode` where it has none of its own.
  func camera(_ mode: ModeOptions) -> StudioOptions.Camera {
    StudioOptions.Camera(
      name: name, rate: rate ?? mode.fps, criteria: criteria(mode), quality: quality(mode))
  }

  private func criteria(_ mode: ModeOptions) -> ModeChoice.Criteria {
    var criteria = mode.criteria
    if let format { criteria.format = format }
    return criteria
  }

  private func quality(_ mode: ModeOptions) -> [Quality] {
    quality.map { [$0] } ?? mode.wishes.quality ?? []
  }
}
