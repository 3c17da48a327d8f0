import CameraModel
import V4L2

extension MediaGraph {
  /// Returns the modes that `device` can capture in once the graph is set up for each; `nil` if they cannot
  /// be determined, and the node's own lists apply.
  mutating func reachableRows(
    through device: borrowing Device, warnings: inout [String]
  ) -> [ModeRow]? {
    guard device.capabilities.deviceCaps.contains(.mediaControllerIO) else { return nil }
    let rows: [ModeRow]
    do throws(V4L2Error) {
      guard var search = PipelineSearch(in: self, on: try OpenPipeline(self)) else { return nil }
      rows = try search.rows()
      isTimedByBlanking = try search.isTimedByBlanking()
    } catch {
      // A graph that cannot be tried is used with its present settings.
      warnings.append("\(error)")
      return nil
    }
    return rows.isEmpty ? nil : rows
  }
}

extension PipelineSearch {
  /// Returns the modes at the node that the sensor's modes lead to: unscaled, and scaled down to common sizes
  /// if an entity on the path scales. Empty if the sensor lists ranges of sizes: then any size of the node is
  /// possible.
  mutating func rows() throws(V4L2Error) -> [ModeRow] {
    guard !graph.sensorModes.contains(where: \.size.isRange) else { return [] }
    var found: [(mode: SensorMode, configuration: PipelineConfiguration)] = []
    for mode in graph.sensorModes {
      let own = mode.size.largest
      let common = SizeRange(from: Dimensions(width: 1, height: 1), to: own).samples
        .filter { $0 != own && $0.width > 1 }
      for size in [nil] + common.map(Optional.some) {
        for configuration in try configurations(of: mode, at: own, giving: size) {
          found.append((mode, configuration))
        }
      }
    }
    let timed = try isTimedByBlanking() ? blanking() : nil
    let active = try graph.sensor.flatMap { sensor throws(V4L2Error) in
      try driver.format(of: PadPlace(entity: sensor.entity.id, pad: sensor.pad.index), .active)
    }
    let isCropReported = found.map(\.configuration).reportTheirCrops
    var rows: [ModeRow] = []
    for (mode, var configuration) in found {
      if !isCropReported { configuration.sensorCrop = nil }
      let size = configuration.size
      var row = ModeRow(
        fourcc: configuration.format.description,
        size: .discrete(width: size.width, height: size.height), intervals: mode.intervals)
      if let active, configuration.pads.first?.format.matches(active) == true {
        row.continuous = timed?.range
      }
      row.readout = configuration.readout(in: graph)
      if !rows.contains(row) { rows.append(row) }
    }
    return rows
  }
}

extension PipelineSearch {
  /// Returns whether the sensor lists no intervals, and its blanking sets them.
  func isTimedByBlanking() throws(V4L2Error) -> Bool {
    guard graph.sensorModes.allSatisfy(\.intervals.isEmpty), let sensor = graph.sensor else { return false }
    let pad = PadPlace(entity: sensor.entity.id, pad: sensor.pad.index)
    guard try driver.interval(of: pad) == nil else { return false }
    return try blanking() != nil
  }
}

extension [PipelineConfiguration] {
  /// Whether the sensor's crops, which were tried and not set, are plausible.
  ///
  /// Some drivers return the whole sensor as the crop of any tried mode. That crop is the same for every
  /// mode, and then mostly not a whole multiple of the picture.
  var reportTheirCrops: Bool {
    let told = compactMap { configuration in
      configuration.pads.first.flatMap { pad in
        configuration.sensorCrop.map { (crop: $0, size: pad.format.size) }
      }
    }
    if Set(told.map(\.crop)).count > 1 { return true }
    return told.allSatisfy { told in
      told.size.width > 0 && told.size.height > 0 && told.crop.width.isMultiple(of: told.size.width)
        && told.crop.height.isMultiple(of: told.size.height)
    }
  }
}
