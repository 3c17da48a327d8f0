public import CameraModel
public import Timebase
import V4L2

/// What the kernel cannot tell about a known camera, read from a YAML file.
///
/// A profile states facts, each with its source; it is never asked whether a camera is there. What every key
/// means is in `docs/profiles.md`.
public struct Profile: Encodable, Hashable, Sendable {
  /// Its short name, as in `sim:ID`; a user's profile replaces the shipped one of the same id.
  public var id: String
  /// What people call the camera.
  public var name: String
  /// Which cameras it speaks of.
  public var match: Match
  /// What the camera is for; `nil` where no source states it.
  @Nullable public var kind: CameraKind?
  /// The sensor's pixels, across and down; `nil` where no source states them.
  @Nullable public var native: Dimensions?
  /// The pixel format that `sim:` draws for modes that name none.
  @Nullable public var drawnAs: String?
  /// The modes, in the order that the driver lists them.
  public var modes: [Mode]
  /// What must be set for the high rates.
  public var controls: [Control]
  /// What the camera does that its tables deny.
  public var quirks: [Quirk]
  /// How its sensor's numbers become a picture; `nil` where no source states it.
  @Nullable public var raw: Raw?
  /// Rates that someone measured.
  public var measured: [Measurement]
  /// Where the facts come from that name no source of their own.
  public var source: String
  /// What else is worth knowing.
  public var notes: [String]

  /// A control that a high rate needs: it is set while filming, and put back.
  public struct Control: Encodable, Hashable, Sendable {
    /// The control's name, by v4l2-ctl's spelling.
    public var name: String
    /// What to set it to.
    public var value: Int
    /// What happens otherwise.
    public var why: String
    /// Where this is known from; `nil` for the profile's own source.
    @Nullable public var source: String?
  }

  /// A way in which a camera is not what its table says: its table is given with a warning.
  public struct Quirk: Encodable, Hashable, Sendable {
    /// What is wrong.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
      /// Setting an interval (`VIDIOC_S_PARM`) changes nothing: format and size choose the rate.
      case rateIgnored = "rate_ignored"
      /// A mode that is listed cannot be had, or not at its rate.
      case claimFails = "claim_fails"
      /// The bytes are not what the pixel format says.
      case contentDiffers = "content_differs"
    }

    /// What is wrong.
    public var kind: Kind
    /// What happens, in a sentence.
    public var note: String
    /// Where this is known from; `nil` for the profile's own source.
    @Nullable public var source: String?
  }

  /// A rate that was measured, next to the one that was asked for.
  public struct Measurement: Encodable, Hashable, Sendable {
    /// Pixels across and down; `nil` where the source does not say.
    @Nullable public var size: Dimensions?
    /// The pixel format's four characters; `nil` where the source does not say.
    @Nullable public var format: String?
    /// The rate that was set.
    public var asked: ProfileRate
    /// The rate that came.
    public var got: ProfileRate
    /// How it was measured.
    @Nullable public var note: String?
    /// Where this is known from; `nil` for the profile's own source.
    @Nullable public var source: String?
  }
}

extension Profile {
  /// What its quirks mean to whoever believes the camera's table, a sentence or two each.
  var warnings: [String] {
    quirks.map { quirk in "\(quirk.kind.meaning): \(quirk.note) (profile \(id))" }
  }
}

extension Profile.Quirk.Kind {
  fileprivate var meaning: String {
    switch self {
    case .rateIgnored: "The driver takes any rate and the camera ignores it"
    case .claimFails: "Not every mode in this table can be had at its rate"
    case .contentDiffers: "The bytes of some modes are not what their format says"
    }
  }
}
