import CV4L2
import SystemPackage

extension MediaDevice {
  /// A pad by its entity and index; V4L2's `struct media_pad_desc`.
  public struct PadPlace: Hashable, Sendable {
    /// The entity's number.
    public var entity: UInt32
    /// The pad's index within the entity.
    public var pad: UInt32

    /// Creates the place of the pad `pad` of `entity`.
    public init(entity: UInt32, pad: UInt32) {
      self.entity = entity
      self.pad = pad
    }
  }

  /// Enables or disables the link from `source` to `sink`.
  ///
  /// The corresponding ioctl is `MEDIA_IOC_SETUP_LINK`. A sink takes data from one link at a time: disable
  /// the other first.
  /// - Throws: ``V4L2Error``: `busy` while a stream uses the link or an enabled one conflicts with it,
  ///   `unsupported` if there is no such link, or it is immutable.
  public borrowing func setLink(
    from source: PadPlace, to sink: PadPlace, isEnabled: Bool
  ) throws(V4L2Error) {
    var raw = media_link_desc()
    raw.source = media_pad_desc(source, MEDIA_PAD_FL_SOURCE)
    raw.sink = media_pad_desc(sink, MEDIA_PAD_FL_SINK)
    raw.flags = isEnabled ? LinkFlags.enabled.rawValue : 0
    let result = cv4l2_media_setup_link(descriptor.rawValue, &raw)
    guard result < 0 else { return }
    throw .link(on: path, Errno(rawValue: -result))
  }
}

extension media_pad_desc {
  /// The type of `flags` depends on the version of the kernel's headers.
  fileprivate init(_ place: MediaDevice.PadPlace, _ flags: some BinaryInteger) {
    self.init()
    entity = place.entity
    index = UInt16(truncatingIfNeeded: place.pad)
    self.flags = UInt32(truncatingIfNeeded: flags)
  }
}
