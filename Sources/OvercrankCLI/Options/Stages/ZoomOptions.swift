import ArgumentParser
import Overcrank

/// The options for enlarging the picture.
struct ZoomOptions: StageOptions {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Enlarge the picture, after --crop: 2, or a curve over capture time such as '0s:1, ease 2s:3'; from 1 "
        + "(the whole picture) to 100.",
      valueName: "curve", visibility: .rare),
    completion: .list(["2", "0s:1, ease 2s:2"]),
    transform: { try ZoomCurve(text: $0) })
  var zoom: ZoomCurve?

  @Option(
    name: .customLong("zoom-at"), parsing: .unconditional,
    help: ArgumentHelp(
      "The position that --zoom centres, as fractions of the width and height: 0.25,0.5. (default: 0.5,0.5)",
      valueName: "x,y", visibility: .rare),
    transform: { try ZoomPath(place: $0) })
  var zoomPlace: ZoomPath?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The positions that --zoom centres one after another, each with its capture time: '0.2,0.5@0s ease "
        + "0.8,0.5@2s'.",
      valueName: "places", visibility: .rare),
    transform: { try ZoomPath(text: $0) })
  var follow: ZoomPath?

  var stage: (any PictureStage)? { zoom.map { ClipZoom($0, at: zoomPlace ?? follow ?? .middle) } }

  static var options: Known {
    ["--zoom": { $0.zoom != nil }, "--zoom-at": { $0.zoomPlace != nil }, "--follow": { $0.follow != nil }]
  }

  static func words(for stages: PictureStages) -> [String] {
    guard let zoom = stages[ClipZoom.self] else { return [] }
    return ["--zoom", zoom.curve.text] + (zoom.path == .middle ? [] : ["--follow", zoom.path.text])
  }
}
