package import Media

/// A purpose of a clip, which stands for settings.
package enum ClipPurpose: String, CaseIterable, Sendable {
  /// A message, for which many services take 10 MB.
  case chat
  /// A page that many people load.
  case web
  /// A phone held upright.
  case phone
  /// A program for editing.
  case edit

  /// The settings for which it stands; those that a user gives come first.
  package var spec: RenderSpec {
    switch self {
    case .chat: RenderSpec(largestSize: 10_000_000)
    case .web: RenderSpec(preset: .slow, quality: 23)
    case .phone: RenderSpec(stages: .usual.with(ClipCrop.shape(width: 9, height: 16)))
    case .edit: RenderSpec(codec: .prores)
    }
  }

  /// Its quality for clips of `codec`; `nil` for the default.
  package func quality(of codec: VideoEncoder.Kind) -> Double? {
    spec.quality.flatMap { codec.qualities?.contains($0) == true ? $0 : nil }
  }
}
