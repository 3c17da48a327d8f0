package import Platform
internal import CFlow
internal import CLibAV

/// A motion estimator that makes pictures of instants between two pictures. It serves one call at a time:
/// await one before the next.
///
/// Motion is estimated once per pair of pictures, however many are made between them: in both directions at
/// the same time on two cores, in the luma at half its size (at full size in tiny pictures, at a quarter in
/// those beyond 3 million pixels). If both directions and both pictures agree on an area, the new picture is
/// made of both.
package actor MotionInterpolator {
  /// The result of an interpolation between two pictures.
  package struct Interpolated: Sendable {
    /// The picture of the instant, or the nearer of the two if they have nothing in common.
    package let picture: Picture
    /// The fraction of it that no motion explains, taken from the nearer picture: from 0 to 1.
    package let heldPart: Double
  }

  private let field: Field
  private let layout: PixelLayout
  private let width: Int
  private let height: Int
  private let planes: [PixelLayout.Plane]
  private let shift: (x: Int32, y: Int32)
  private var pool = PicturePool()
  /// The pictures between which motion was estimated.
  private var found: (last: Picture, next: Picture)?
  private var isBreak = false

  /// Creates an interpolator for pictures like `picture`.
  ///
  /// - Throws: `OvercrankError` if memory for the motion of so many pixels runs out.
  /// - Precondition: `picture` is planar.
  package init(like picture: Picture) throws(OvercrankError) {
    layout = picture.layout
    (width, height) = (picture.width, picture.height)
    planes = layout.planes(width: width, height: height) ?? []
    let descriptor = av_pix_fmt_desc_get(layout.format)
    shift = (
      Int32(descriptor?.pointee.log2_chroma_w ?? 0), Int32(descriptor?.pointee.log2_chroma_h ?? 0)
    )
    guard let field = cflow_create(Int32(width), Int32(height)) else {
      throw OvercrankError.outOfMemory("the motion of a picture of \(width)x\(height)")
    }
    self.field = Field(pointer: field)
  }

  deinit { cflow_destroy(field.pointer) }

  /// Returns whether it handles pictures like `picture`.
  package nonisolated func fits(_ picture: Picture) -> Bool {
    picture.layout == layout && picture.width == width && picture.height == height
  }

  /// Estimates the motion from `last` to `next` ahead of ``picture(between:and:share:)``.
  ///
  /// - Precondition: ``fits(_:)`` holds for both.
  package func findMotion(from last: Picture, to next: Picture) async {
    precondition(fits(last) && fits(next), "the pictures must have the same size and layout")
    guard last !== found?.last || next !== found?.next else { return }
    if last !== found?.next { push(last) }
    push(next)
    let field = field
    async let back: Void = field.search(from: .next)
    field.search(from: .last)
    await back
    isBreak = cflow_judge(field.pointer) == cflow_break
    found = (last, next)
  }

  /// Returns the picture `share` / 256 of the way from `last` to `next`.
  ///
  /// - Throws: `OvercrankError`.
  /// - Precondition: ``fits(_:)`` holds for both; `share` is from 0 to 256.
  package func picture(
    between last: Picture, and next: Picture, share: Int
  ) async throws(OvercrankError) -> Interpolated {
    await findMotion(from: last, to: next)
    let nearer = share <= 128 ? last : next
    guard !isBreak else { return Interpolated(picture: nearer, heldPart: 1) }
    let heldPart = Double(cflow_place(field.pointer, Int32(share))) / 65536
    let target = try pool.picture(layout: layout, width: width, height: height, color: last.color)
    for index in planes.indices {
      guard var from = plane(index, of: last), var to = plane(index, of: next),
        let base = target.planeBases[index]
      else { continue }
      let isChroma = index == 1 || index == 2
      cflow_render(
        field.pointer, &from, &to, isChroma ? shift.x : 0, isChroma ? shift.y : 0, base,
        Int(target.planeStrides[index]))
    }
    return Interpolated(picture: target, heldPart: heldPart)
  }

  /// The motion between two pictures. Each is searched for in the other on its own thread; everything else is
  /// serialized.
  private struct Field: @unchecked Sendable {
    enum Side: Int32 { case last, next }

    let pointer: OpaquePointer

    func search(from side: Side) { cflow_search(pointer, side.rawValue) }
  }

  private func push(_ picture: Picture) {
    guard var luma = plane(0, of: picture) else { return }
    cflow_push(field.pointer, &luma)
  }

  private func plane(_ index: Int, of picture: Picture) -> cflow_plane? {
    guard let base = picture.planeBases[index] else { return nil }
    let bits = layout.bitsPerSample
    return cflow_plane(
      base: base, stride: Int(picture.planeStrides[index]),
      width: Int32(planes[index].bytesPerRow / (bits > 8 ? 2 : 1)), height: Int32(planes[index].rows),
      bits: bits)
  }
}
