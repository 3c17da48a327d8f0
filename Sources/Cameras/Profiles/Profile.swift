public import CameraModel
public import Timebase
import V4L2

/// Facts about a known camera that the kernel cannot report, read from a YAML file.
///
/// A profile states facts, each with its source; it never decides whether a camera is present. Every key is
/// explained in `docs/profiles.md`.
public struct Profile: Encodable, Hashable, Sendable {
  /// Its short name, as in `sim:ID`; a user's profile replaces the shipped one of the same id.
  public var id: String
  /// The common name of the camera.
  public var name: String
  /// The cameras that it describes.
  public var match: Match
  /// The camera's purpose; `nil` if no source states it.
  @Nullable public var kind: CameraKind?
  /// The sensor's pixels, across and down; `nil` if no source states them.
  @Nullable public var native: Dimensions?
  /// The pixel format that `sim:` draws for modes without one.
  @Nullable public var drawnAs: String?
  /// The modes, in the order in which the driver lists them.
  public var modes: [Mode]
  /// The controls to set for the high rates.
  public var controls: [Control]
  /// The ways in which the camera differs from its tables.
  public var quirks: [Quirk]
  /// The conversion of its sensor's samples to a picture; `nil` if no source states it.
  @Nullable public var raw: Raw?
  /// Measured rates.
  public var measured: [Measurement]
  /// The source of facts that name no source of their own.
  public var source: String
  /// Further remarks.
  public var notes: [String]

  /// A control that a high rate needs: it is set during capture, and restored.
  public struct Control: Encodable, Hashable, Sendable {
    /// The control's name, in v4l2-ctl's spelling.
    public var name: String
    /// The value to set.
    public var value: Int
    /// The effect of any other value.
    public var why: String
    /// The source of this fact; `nil` for the profile's own source.
    @Nullable public var source: String?
  }

  /// A way in which a camera differs from its table; the table gets a warning.
  public struct Quirk: Encodable, Hashable, Sendable {
    /// A kind of deviation.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
      /// Setting an interval (`VIDIOC_S_PARM`) changes nothing: format and size determine the rate.
      case rateIgnored = "rate_ignored"
      /// A listed mode is not available, or not at its rate.
      case claimFails = "claim_fails"
      /// The bytes are not what the pixel format says.
      case contentDiffers = "content_differs"
    }

    /// The kind of deviation.
    public var kind: Kind
    /// The effect, in a sentence.
    public var note: String
    /// The source of this fact; `nil` for the profile's own source.
    @Nullable public var source: String?
  }

  /// A measured rate, with the rate that was requested.
  public struct Measurement: Encodable, Hashable, Sendable {
    /// Pixels across and down; `nil` if the source does not say.
    @Nullable public var size: Dimensions?
    /// The pixel format's four characters; `nil` if the source does not say.
    @Nullable public var format: String?
    /// The rate that was set.
    public var asked: ProfileRate
    /// The rate that was measured.
    public var got: ProfileRate
    /// The method of measurement.
    @Nullable public var note: String?
    /// The source of this fact; `nil` for the profile's own source.
    @Nullable public var source: String?
  }
}

extension Profile {
  /// The effects of its quirks for users of the camera's table, a sentence or two each.
  var warnings: [String] {
    quirks.map { quirk in "\(quirk.kind.meaning): \(quirk.note) (profile \(id))" }
  }
}

extension Profile.Quirk.Kind {
  fileprivate var meaning: String {
    switch self {
    case .rateIgnored: "The driver accepts any rate and the camera ignores it"
    case .claimFails: "Not every mode in this table reaches its rate"
    case .contentDiffers: "The bytes of some modes do not match their format"
    }
  }
}
