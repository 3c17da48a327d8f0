import Platform
import Media
public import Retime
import SystemPackage
public import Takes

extension ClipSpec {
  /// What a take holds of the clip.
  public var description: ClipDescription? { try? ClipDescription(self) }

  /// The clip that a take describes; `nil` where this version does not know how to make it.
  public init?(_ description: ClipDescription) {
    guard let spec = try? description.read(as: ClipSpec.self) else { return nil }
    self = spec
  }

  /// The container of a clip that was given no name, of a source with frames of `codec`.
  func container(of codec: @autoclosure () throws(OvercrankError) -> VideoCodec) throws(OvercrankError)
    -> Container
  {
    guard let render else { return .forCopy(of: try codec()) }
    return render.codec.usualContainer
  }

  /// Refuses a clip of a source with frames of `codec` that could not be written to `path`.
  func check(
    for path: FilePath, of codec: @autoclosure () throws(OvercrankError) -> VideoCodec
  ) throws(OvercrankError) {
    let container = Container(ofClip: path)
    guard let render else { return try container.checkHolds(try codec(), in: path) }
    try render.check(for: container, path)
  }
}
