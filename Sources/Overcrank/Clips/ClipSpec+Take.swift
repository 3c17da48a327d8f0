import Platform
import Media
public import Retime
import SystemPackage
public import Takes

extension ClipSpec {
  /// The description of the clip for a take; `nil` if it cannot be encoded.
  public var description: ClipDescription? { try? ClipDescription(self) }

  /// Creates the clip that a take describes; `nil` if this version cannot make it.
  public init?(_ description: ClipDescription) {
    guard let spec = try? description.read(as: ClipSpec.self) else { return nil }
    self = spec
  }

  /// Returns the default container of a clip of a source with frames of `codec`.
  func container(of codec: @autoclosure () throws(OvercrankError) -> VideoCodec) throws(OvercrankError)
    -> Container
  {
    guard let render else { return .forCopy(of: try codec()) }
    return render.codec.usualContainer
  }

  /// Refuses a clip of a source with frames of `codec` that cannot be written to `path`.
  func check(
    for path: FilePath, of codec: @autoclosure () throws(OvercrankError) -> VideoCodec
  ) throws(OvercrankError) {
    let container = Container(ofClip: path)
    guard let render else { return try container.checkHolds(try codec(), in: path) }
    try render.check(for: container, path)
  }
}
