package import CameraModel
import SystemPackage
import V4L2

/// A search for settings of a graph that bring pictures of a sensor's mode to the node.
///
/// It tries formats in the configuration that each file handle has for itself (`V4L2_SUBDEV_FORMAT_TRY`):
/// they do not reach the hardware or other programs.
package struct PipelineSearch<Driver: PipelineDriver> {
  let graph: MediaGraph
  let driver: Driver
  private let steps: [MediaGraph.Step]
  private let branches: [PipelineLinks.Ends]
  /// The obstacle on the path that led farthest.
  private(set) var refusal: PipelineRefusal?
  private var depth = -1

  /// Creates a search in `graph`; `nil` if its chain does not begin at a sensor, or an entity of it has no
  /// sub-device.
  package init?(in graph: MediaGraph, on driver: Driver) {
    let steps = graph.steps
    guard graph.sensor != nil, !steps.isEmpty,
      steps.allSatisfy({ graph.entity($0.sourceEntity)?.isSubdevice == true })
    else { return nil }
    self.graph = graph
    self.driver = driver
    self.steps = steps
    branches = PipelineLinks(of: graph).branches
  }

  /// Returns all configurations that bring the sensor's `mode` to the node at `size`, those without scaling
  /// first.
  ///
  /// - Parameters:
  ///   - size: the output size; `nil` for the size that results without scaling.
  ///   - wanted: the output's pixel format; `nil` for any.
  mutating func configurations(
    of mode: SensorMode, at sensorSize: Dimensions, giving size: Dimensions?, in wanted: PixelFormat? = nil
  ) throws(V4L2Error) -> [PipelineConfiguration] {
    guard let first = steps.first, let last = steps.last, let code = MediaBusCode(name: mode.code),
      var ways = try begin(BusFormat(code: code, size: sensorSize), at: first.sourcePlace)
    else { return [] }
    for (index, (step, next)) in zip(steps, steps.dropFirst()).enumerated() {
      var found: [Way] = []
      for way in ways {
        for settings in try pass(way, from: step.sinkPlace, to: next.sourcePlace, giving: size, depth: index)
        {
          if found.contains(where: { $0.isAlike(settings) }) { continue }
          found.append(settings)
        }
      }
      ways = found
    }
    let timing = try timing(of: first.sourcePlace, listsIntervals: !mode.intervals.isEmpty)
    var configurations: [PipelineConfiguration] = []
    for way in ways {
      guard let format = way.last?.format, size == nil || format.size == size else { continue }
      let formats = try driver.pixelFormats(of: last.sinkEntity, for: format.code)
      for node in formats where wanted == nil || node == wanted {
        let given = try driver.nearestSize(to: format.size, of: node, on: last.sinkEntity)
        guard given == nil || given == format.size else {
          note(
            last.sinkPlace, "\(format.size) \(node)", given: given.map { "\($0) \(node)" }, depth: steps.count
          )
          continue
        }
        var configuration = PipelineConfiguration(pads: way.settings, format: node)
        configuration.sensorCrop = way.sensorCrop
        configuration.timing = timing
        configuration.intervals = mode.intervals
        guard try follow(&configuration) else { continue }
        configurations.append(configuration)
      }
    }
    return configurations
  }

  // MARK: - From the sensor on

  /// The pads that are set so far.
  private struct Way {
    var settings: [PipelineConfiguration.PadSetting]
    var sensorCrop: Rectangle?
    var last: PipelineConfiguration.PadSetting? { settings.last }

    /// Returns whether both have the same output, of the same part of the picture.
    func isAlike(_ other: Way) -> Bool {
      guard let last, let otherLast = other.last else { return false }
      return last.format.matches(otherLast.format)
        && settings.map(\.crop) == other.settings.map(\.crop)
    }
  }

  private mutating func begin(_ format: BusFormat, at pad: PadPlace) throws(V4L2Error) -> [Way]? {
    guard let given = try tried(format, at: pad, depth: 0) else { return nil }
    let crop = try driver.selection(.crop, of: pad, .try)
    let setting = PipelineConfiguration.PadSetting(
      pad: pad, isSink: false, format: given, crop: try settable(.crop, of: pad))
    return [Way(settings: [setting], sensorCrop: crop)]
  }

  /// Returns the possible outputs of an entity if `way` leads into its `sink`: in its natural size, and
  /// scaled to `size` if that differs.
  private mutating func pass(
    _ way: Way, from sink: PadPlace, to source: PadPlace, giving size: Dimensions?, depth: Int
  ) throws(V4L2Error) -> [Way] {
    guard let incoming = way.last?.format,
      var given = try tried(incoming, at: sink, depth: depth + 1)
    else { return [] }
    let natural = try driver.format(of: source, .try) ?? given
    var codes = try driver.busCodes(of: source)
    if codes.isEmpty { codes = [natural.code] }
    // Codes that need no conversion come first.
    codes = [given.code, natural.code].filter(codes.contains) + codes
    let targets = [natural.size] + [size].compactMap(\.self).filter { $0 != natural.size }
    var ways: [Way] = []
    var seen: Set<MediaBusCode> = []
    for code in codes where seen.insert(code).inserted {
      for target in targets {
        // Back to the whole picture, which an earlier try may have cropped.
        given = try driver.setFormat(incoming, of: sink, .try)
        if target != natural.size, try !frame(target, of: given.size, at: sink) { continue }
        var outgoing = given
        (outgoing.code, outgoing.size) = (code, target)
        guard let result = try tried(outgoing, at: source, depth: depth + 1) else { continue }
        var way = way
        way.settings.append(
          .init(
            pad: sink, isSink: true, format: given, crop: try settable(.crop, of: sink),
            compose: try settable(.compose, of: sink)))
        way.settings.append(
          .init(pad: source, isSink: false, format: result, crop: try settable(.crop, of: source)))
        ways.append(way)
      }
    }
    return ways
  }

  /// Crops the input at `sink` to the shape of `target`, centred; returns `false` if that is impossible, or
  /// the picture would be enlarged or distorted.
  private func frame(
    _ target: Dimensions, of whole: Dimensions, at sink: PadPlace
  ) throws(V4L2Error) -> Bool {
    guard let part = whole.part(shapedAs: target) else { return false }
    guard part.size != whole else { return true }
    do throws(V4L2Error) {
      return try driver.setSelection(.crop, to: part, of: sink, .try) == part
    } catch {
      guard error.code == .unsupported else { throw error }
      return false
    }
  }

  /// Returns the way to set the sensor's interval.
  private func timing(
    of pad: PadPlace, listsIntervals: Bool
  ) throws(V4L2Error) -> PipelineConfiguration.Timing? {
    if listsIntervals { return .interval }
    if try driver.interval(of: pad) != nil { return .interval }
    return try blanking() == nil ? nil : .blanking
  }

  /// Returns the sensor's timing in its present mode; `nil` if its controls do not define it.
  func blanking() throws(V4L2Error) -> SensorBlanking? {
    guard let pad = steps.first?.sourcePlace, let format = try driver.format(of: pad, .active) else {
      return nil
    }
    return SensorBlanking(try driver.controls(of: pad.entity), size: format.size)
  }

  // MARK: - Beside the way

  /// Tries the pictures of `configuration` on its branches; returns `false` if they cannot take them.
  private mutating func follow(_ configuration: inout PipelineConfiguration) throws(V4L2Error) -> Bool {
    for branch in branches {
      let known = configuration.pads.first { $0.pad == branch.source }?.format
      // The output that a branch's own entity makes of the format that was just tried.
      let made = known == nil ? try driver.format(of: branch.source, .try) : nil
      guard let format = known ?? made else { continue }
      guard graph.entity(branch.sink.entity)?.isSubdevice == true else {
        let formats = try driver.pixelFormats(of: branch.sink.entity, for: format.code)
        guard let first = formats.first else {
          note(branch.sink, "\(format)", given: nil, depth: steps.count)
          return false
        }
        configuration.branchNodes.append(
          .init(entity: branch.sink.entity, format: first, size: format.size))
        continue
      }
      guard let given = try tried(format, at: branch.sink, depth: steps.count) else { return false }
      configuration.branches.append(.init(pad: branch.sink, isSink: true, format: given))
    }
    return true
  }

  // MARK: - One pad

  /// Tries a format; returns `nil` if the driver changes it or has none, and notes the refusal.
  private mutating func tried(
    _ format: BusFormat, at pad: PadPlace, depth: Int
  ) throws(V4L2Error) -> BusFormat? {
    do throws(V4L2Error) {
      let given = try driver.setFormat(format, of: pad, .try)
      if given.code == format.code, given.size == format.size { return given }
      note(pad, "\(format)", given: "\(given)", depth: depth)
    } catch {
      guard error.code == .unsupported else { throw error }
      note(pad, "\(format)", given: nil, cause: error, depth: depth)
    }
    return nil
  }

  /// Returns a rectangle of a pad as it is tried; `nil` if it has none that can be set.
  private func settable(_ target: SelectionTarget, of pad: PadPlace) throws(V4L2Error) -> Rectangle? {
    do throws(V4L2Error) {
      guard let rectangle = try driver.selection(target, of: pad, .try) else { return nil }
      return try driver.setSelection(target, to: rectangle, of: pad, .try) == rectangle ? rectangle : nil
    } catch {
      guard error.code == .unsupported else { throw error }
      return nil
    }
  }

  private mutating func note(
    _ pad: PadPlace, _ asked: String, given: String?, cause: V4L2Error? = nil, depth: Int
  ) {
    guard depth > self.depth else { return }
    self.depth = depth
    let entity = graph.entity(pad.entity)
    refusal = PipelineRefusal(
      entity: entity?.name ?? "entity \(pad.entity)", pad: pad.pad,
      device: FilePath(entity?.node ?? graph.media),
      asked: asked, given: given, cause: cause)
  }
}

extension MediaGraph.Entity {
  /// Whether it has a sub-device node, through which its pads can be read and set.
  var isSubdevice: Bool { node?.hasPrefix("/dev/v4l-subdev") == true }
}

extension Dimensions {
  /// Returns the largest centred part that has the shape of `target`, to the even pixel; `nil` if `target` is
  /// empty, or larger in a direction.
  func part(shapedAs target: Dimensions) -> Rectangle? {
    guard target.width > 0, target.height > 0, target.width <= width, target.height <= height else {
      return nil
    }
    let (across, down) = (UInt64(width) * UInt64(target.height), UInt64(height) * UInt64(target.width))
    var part = self
    if across > down { part.width = UInt32(down / UInt64(target.height)) & ~1 }
    if across < down { part.height = UInt32(across / UInt64(target.width)) & ~1 }
    guard part.width >= target.width, part.height >= target.height else { return target.middle(of: self) }
    return part.middle(of: self)
  }

  private func middle(of whole: Dimensions) -> Rectangle {
    Rectangle(
      left: Int32(clamping: (whole.width - width) / 2 & ~1),
      top: Int32(clamping: (whole.height - height) / 2 & ~1), width: width, height: height)
  }
}
