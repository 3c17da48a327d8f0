import CameraModel
import V4L2

/// The way in which a camera reads its sensor in the current mode: only what its driver's rectangles prove.
///
/// A mode that is smaller than the part of the sensor that it shows may be binned or skipped, which V4L2 does
/// not tell apart. A mode of the same size proves that neither was done.
struct ActiveReadout: Equatable {
  /// The size that arrives at the node.
  var size: Dimensions
  /// The visible part of the sensor; `nil` if unknown.
  var crop: Rectangle?
  /// `false` if each pixel is one of the sensor's; `nil` if unknown.
  var isBinned: Bool?
  /// Whether an entity behind the sensor scales; `nil` if unknown.
  var isScaled: Bool?

  /// Whether anything is known about how the sensor is read.
  var isKnown: Bool { crop != nil || isBinned != nil || isScaled != nil }

  /// Fills in what is known for those of `rows` that have this size and that satisfy `isOfFormat`.
  func describe(_ rows: inout [ModeRow], isOfFormat: (String) -> Bool) {
    guard isKnown else { return }
    for index in rows.indices
    where rows[index].size == .discrete(width: size.width, height: size.height)
      && isOfFormat(rows[index].fourcc)
      // A row that is scaled down from another of the sensor's modes is not the current mode.
      && (rows[index].readout.isScaled != true || isScaled == true)
    {
      rows[index].readout = Readout(
        isBinned: isBinned, crop: crop?.terms, isScaled: isScaled, evidence: Evidence.driver)
    }
  }
}

// MARK: - From a node's own rectangles

extension ActiveReadout {
  /// Creates the readout of a node that is set to `size`, shows the part `crop` of a sensor, and puts it into
  /// `compose` of the picture.
  ///
  /// Nothing is known without `native`: a node without a sensor crops a signal.
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
  /// The sensor's entity and source pad, at which its chain begins; `nil` if there is no sensor with a
  /// sub-device.
  var sensor: (entity: Entity, pad: Pad)? {
    guard let first = chainEntities.first, first.node != nil,
      first.function == EntityFunction.sensor.description,
      let pad = steps.first?.source ?? first.pads.first(where: { $0.flags.contains("source") })
    else { return nil }
    return (first, pad)
  }

  /// The area of the sensor's pixels that can be in pictures.
  ///
  /// `V4L2_SEL_TGT_CROP_DEFAULT` is all active pixels; `NATIVE_SIZE` includes black ones.
  var nativeArea: Rectangle? {
    guard let pad = sensor?.pad else { return nil }
    let areas = ["crop_default", "native_size", "crop_bounds"].compactMap(pad.selection)
    return areas.first { $0.width > 0 && $0.height > 0 }
  }

  /// The bus format that the chain is set to deliver to the node; `nil` if its last pad has none.
  var lastCode: String? { steps.last?.source.code }

  /// The sensor's readout with the chain's present settings; `nil` if it is not set up to stream, or has no
  /// sensor.
  var activeReadout: ActiveReadout? {
    guard let sensor, let first = steps.first, let output = first.source.dimensions,
      steps.allSatisfy(\.isEnabled)
    else { return nil }
    // Both ends of a link must agree, or the driver will not stream. The last step is left out: a video
    // node's pad has no settings.
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
  /// Follows the picture through an entity, from its sink's settings to the size of its output.
  fileprivate mutating func pass(from sink: MediaGraph.Pad, to outcome: Dimensions) {
    let whole = Rectangle(left: 0, top: 0, width: size.width, height: size.height)
    let taken = sink.selection("crop")
    defer { size = outcome }
    guard taken ?? whole != whole || outcome != whole.size else { return }
    guard let taken, taken.width > 0, taken.height > 0 else {
      // The entity may crop or scale, and does not say which.
      crop = nil
      if isScaled == false { isScaled = nil }
      return
    }
    if taken.size != outcome { isScaled = true }
    crop = crop.flatMap { $0.part(taken, of: size) }
  }
}

extension Rectangle {
  /// Returns what the part `taken` of a picture of `size` shows, if the picture shows this rectangle; `nil`
  /// if that is not a whole number of pixels.
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
