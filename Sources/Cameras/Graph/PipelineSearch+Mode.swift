package import CameraModel
package import V4L2

extension PipelineSearch {
  /// Finds the configuration for `mode`; `nil` if there is none, and then ``refusal`` holds the cause.
  ///
  /// Of several, it prefers one with the mode's interval, then one that reads the sensor as the mode says,
  /// then one that does not scale, then the one that the sensor lists first.
  package mutating func configuration(for mode: Mode) throws(V4L2Error) -> PipelineConfiguration? {
    let size = Dimensions(width: mode.width, height: mode.height)
    var best: (fitness: [Bool], configuration: PipelineConfiguration)?
    for (sensorMode, sensorSize) in graph.sensorSizes(for: size) {
      for found in try configurations(of: sensorMode, at: sensorSize, giving: size, in: mode.pixelFormat) {
        let fitness = found.fitness(for: mode, in: graph)
        if let best, !best.fitness.lexicographicallyPrecedes(fitness, by: { !$0 && $1 }) { continue }
        best = (fitness, found)
        if fitness.allSatisfy(\.self) { return found }
      }
    }
    return best?.configuration
  }
}

extension PipelineConfiguration {
  /// Rates how well it suits `mode`, the most important criterion first; `true` is better.
  fileprivate func fitness(for mode: Mode, in graph: MediaGraph) -> [Bool] {
    let readout = readout(in: graph)
    let hasInterval = intervals.isEmpty || intervals.contains { $0.rate == mode.rate }
    let isSameView = mode.readout.crop == nil || readout.crop == nil || readout.crop == mode.readout.crop
    let isSameScale = (mode.readout.isScaled == true) == isResized
    return [hasInterval, isSameView, isSameScale]
  }

  /// Whether the output has another size than the sensor's.
  var isResized: Bool { pads.first?.format.size != size }
}

extension MediaGraph {
  /// Returns the sensor's modes from which pictures of `size` can be made without enlarging them, those of
  /// that size first; for a range, that size and twice it.
  func sensorSizes(for size: Dimensions) -> [(mode: SensorMode, size: Dimensions)] {
    var exact: [(SensorMode, Dimensions)] = []
    var larger: [(SensorMode, Dimensions)] = []
    for mode in sensorModes {
      guard let range = SizeRange(mode.size) else {
        let own = mode.size.largest
        if own == size {
          exact.append((mode, own))
        } else if own.width >= size.width, own.height >= size.height {
          larger.append((mode, own))
        }
        continue
      }
      if range.contains(size) { exact.append((mode, size)) }
      let (width, across) = size.width.multipliedReportingOverflow(by: 2)
      let (height, down) = size.height.multipliedReportingOverflow(by: 2)
      let double = Dimensions(width: width, height: height)
      if !across, !down, range.contains(double) { larger.append((mode, double)) }
    }
    return exact + larger
  }
}

extension SizeRange {
  fileprivate func contains(_ size: Dimensions) -> Bool {
    (least.width...most.width).contains(size.width) && (least.height...most.height).contains(size.height)
  }
}
