import ArgumentParser
import Retime

/// How a clip enlarges the picture.
struct ZoomOptions: StageOptions {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Enlarge the picture, after --crop: 2, or a curve over capture time such as '0s:1, ease 2s:3'; from 1, all of "
        + "it, to 100.",
      valueName: "curve", visibility: .rare),
    completion: .list(["2", "0s:1, ease 2s:2"]),
    transform: { try ZoomCurve(text: $0) })
  var zoom: ZoomCurve?

  @Option(
    name: .customLong("zoom-at"), parsing: .unconditional,
    help: ArgumentHelp(
      "What --zoom brings to the middle, as parts of the width and the height: 0.25,0.5. (default: 0.5,0.5)",
      valueName: "x,y", visibility: .rare),
    transform: { try ZoomPath(place: $0) })
  var zoomPlace: ZoomPath?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Places that --zoom brings to the middle one after another, each with its capture time: '0.2,0.5@0s ease "
        + "0.8,0.5@2s'.",
      valueName: "places", visibility: .rare),
    transform: { try ZoomPath(text: $0) })
  var follow: ZoomPath?

  func validate() throws {
    guard zoomPlace != nil || follow != nil else { return }
    guard zoom != nil else {
      throw ValidationError(
        "\(zoomPlace != nil ? "--zoom-at" : "--follow") needs --zoom: by how much to enlarge the picture.")
    }
    guard zoomPlace == nil || follow == nil else {
      throw ValidationError("--zoom-at is one place, and --follow are places at times; give one of them.")
    }
  }

  var stage: (any PictureStage)? { zoom.map { ClipZoom($0, at: zoomPlace ?? follow ?? .middle) } }

  var given: [String] {
    [("--zoom", zoom != nil), ("--zoom-at", zoomPlace != nil), ("--follow", follow != nil)]
      .filter(\.1).map(\.0)
  }

  static func words(for stages: PictureStages) -> [String] {
    guard let zoom = stages[ClipZoom.self] else { return [] }
    return ["--zoom", zoom.curve.text] + (zoom.path == .middle ? [] : ["--follow", zoom.path.text])
  }
}
