import CameraModel
import V4L2

/// How a camera reads its sensor for the one mode that it is set to: what its driver's rectangles
/// prove, and no more.
///
/// That a mode is smaller than the part of the sensor that it shows does not say how it became so:
/// a sensor may bin or skip, which V4L2 does not tell apart. That it is as large says that neither
/// was done.
struct ActiveReadout: Equatable {
  /// The size that comes in at the node.
  var size: Dimensions
  /// The part of the sensor that is seen; `nil` where it is not known.
  var crop: Rectangle?
  /// `false` where each pixel is one of the sensor's.
  var isBinned: Bool?
  /// Whether an entity behind the sensor resizes.
  var isScaled: Bool?

  /// Whether it says anything of how the sensor is read.
  var isKnown: Bool { crop != nil || isBinned != nil || isScaled != nil }

  /// States what is known in those of `rows` that are of this size, and that `isOfFormat`.
  func describe(_ rows: inout [ModeRow], isOfFormat: (String) -> Bool) {
    guard isKnown else { return }
    for index in rows.indices
    where rows[index].size == .discrete(width: size.width, height: size.height)
      && isOfFormat(rows[index].fourcc)
      // A row that is made by scaling down another of the sensor's modes is not the one that is
      // set.
      && (rows[index].readout.isScaled != true || isScaled == true)
    {
      rows[index].readout = Readout(
        isBinned: isBinned, crop: crop?.terms, isScaled: isScaled, evidence: Evidence.driver)
    }
  }
}

// MARK: - From a node's own rectangles

extension ActiveReadout {
  /// The node is set to `size`, of the part `crop` of a sensor, put into `compose` of the picture.
  ///
  /// Says nothing without `native`: what a node without a sensor crops is a signal.
  init(native: Dimensions?, crop: Rectangle?, compose: Rectangle?, size: Dimensions) {
    self.init(size: size)
    guard native != nil, let crop, crop.width > 0, crop.height > 0 else { return }
    self.crop = crop
    guard crop.size == size, compose.map({ $0.size == size }) ?? true else { return }
    (isBinned, isScaled) = (false, false)
  }
}

// MARK: - From a media graph

extension MediaGraph {
  /// The source pad of the sensor, from which its chain begins; `nil` where there is no sensor that
  /// can be asked.
  var sensor: (entity: Entity, pad: Pad)? {
    guard let first = chainEntities.first, first.node != nil,
      first.function == EntityFunction.sensor.description,
      let pad = steps.first?.source ?? first.pads.first(where: { $0.flags.contains("source") })
    else { return nil }
    return (first, pad)
  }

  /// The sensor's pixels that pictures can be of.
  ///
  /// `V4L2_SEL_TGT_CROP_DEFAULT` is all active pixels; `NATIVE_SIZE` counts black ones with them.
  var nativeArea: Rectangle? {
    guard let pad = sensor?.pad else { return nil }
    let areas = ["crop_default", "native_size", "crop_bounds"].compactMap(pad.selection)
    return areas.first { $0.width > 0 && $0.height > 0 }
  }

  /// The bus format that the chain is set to give the node; `nil` where its last pad has none.
  var lastCode: String? { steps.last?.source.code }

  /// How the sensor is read as the chain is set; `nil` where it is not set up to stream, or has no
  /// sensor.
  var activeReadout: ActiveReadout? {
    guard let sensor, let first = steps.first, let output = first.source.dimensions,
      steps.allSatisfy(\.isEnabled)
    else { return nil }
    // Both ends of a link must agree, or the driver will not stream; a video node's pad is set by
    // no one.
    for step in steps.dropLast()
    where step.source.code == nil || step.source.code != step.sink.code || step.source.size != step.sink.size
    {
      return nil
    }

    var readout = ActiveReadout(size: output)
    let area = nativeArea
    if let crop = sensor.pad.selection("crop"), crop.width > 0, crop.height > 0, let area {
      readout.crop = Rectangle(
        left: crop.left &- area.left, top: crop.top &- area.top, width: crop.width, height: crop.height)
      if crop.size == output { (readout.isBinned, readout.isScaled) = (false, false) }
    }
    for (step, next) in zip(steps, steps.dropFirst()) {
      guard let outcome = next.source.dimensions else { return nil }
      readout.pass(from: step.sink, to: outcome)
    }
    return readout
  }
}

extension ActiveReadout {
  /// Follows the picture through an entity, from how its sink is set to the size that it gives.
  fileprivate mutating func pass(from sink: MediaGraph.Pad, to outcome: Dimensions) {
    let whole = Rectangle(left: 0, top: 0, width: size.width, height: size.height)
    let taken = sink.selection("crop")
    defer { size = outcome }
    guard taken ?? whole != whole || outcome != whole.size else { return }
    guard let taken, taken.width > 0, taken.height > 0 else {
      // It may crop or scale, and does not say which.
      crop = nil
      if isScaled == false { isScaled = nil }
      return
    }
    if taken.size != outcome { isScaled = true }
    crop = crop.flatMap { $0.part(taken, of: size) }
  }
}

extension Rectangle {
  /// What the part `taken` of a picture of `size` shows, where the picture shows this rectangle;
  /// `nil` where that is no whole number of pixels.
  fileprivate func part(_ taken: Rectangle, of size: Dimensions) -> Rectangle? {
    guard size.width > 0, size.height > 0 else { return nil }
    func scaled(_ length: Int, _ whole: UInt32, _ over: UInt32) -> Int? {
      let (product, overflow) = length.multipliedReportingOverflow(by: Int(whole))
      return overflow || product % Int(over) != 0 ? nil : product / Int(over)
    }
    guard let x = scaled(Int(taken.left), width, size.width),
      let y = scaled(Int(taken.top), height, size.height),
      let across = scaled(Int(taken.width), width, size.width),
      let down = scaled(Int(taken.height), height, size.height)
    else { return nil }
    return Rectangle([Int(left) + x, Int(top) + y, across, down])
  }
}

extension MediaGraph.Pad {
  fileprivate var dimensions: Dimensions? {
    guard let size, size.count == 2, size[0] > 0, size[1] > 0 else { return nil }
    return Dimensions(width: size[0], height: size[1])
  }
}
