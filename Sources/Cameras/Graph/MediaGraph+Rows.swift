import CameraModel
import Timebase
import V4L2

extension MediaGraph {
  /// The modes that `device` can film in once the graph is set up for each; `nil` where that cannot
  /// be told, and its own lists stand.
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
      // A graph that cannot be tried is filmed as it is set.
      warnings.append("\(error)")
      return nil
    }
    return rows.isEmpty ? nil : rows
  }
}

extension PipelineSearch {
  /// The modes that the sensor's own lead to at the node: as they come, and scaled down to common
  /// sizes where an entity on the way scales. Empty where the sensor lists ranges of sizes: then
  /// any size of the node's will do.
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
    let isCropTold = found.map(\.configuration).tellTheirCrops
    var rows: [ModeRow] = []
    for (mode, var configuration) in found {
      if !isCropTold { configuration.sensorCrop = nil }
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
  /// Whether the sensor lists no intervals, and its blanking sets them.
  func isTimedByBlanking() throws(V4L2Error) -> Bool {
    guard graph.sensorModes.allSatisfy(\.intervals.isEmpty), let sensor = graph.sensor else { return false }
    let pad = PadPlace(entity: sensor.entity.id, pad: sensor.pad.index)
    guard try driver.interval(of: pad) == nil else { return false }
    return try blanking() != nil
  }
}

extension [PipelineConfiguration] {
  /// Whether the sensor's crops, which were tried and not set, are to be believed.
  ///
  /// Some drivers keep the whole sensor for the crop of whatever is tried. Theirs is the same for
  /// every mode, and then mostly no whole number of times the picture.
  var tellTheirCrops: Bool {
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
