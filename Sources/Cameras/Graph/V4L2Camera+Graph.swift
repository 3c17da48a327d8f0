import Platform
import CameraModel
import SystemPackage
import V4L2

extension V4L2Camera {
  /// Sets up the media graph of `device` to capture in `mode`. Drivers without `V4L2_CAP_IO_MC` do so
  /// themselves.
  ///
  /// - Throws: `OvercrankError`: `noMode` if the graph cannot deliver the mode, with the pad that refuses it.
  ///   The graph is then unchanged.
  func setUpGraph(
    of device: borrowing Device, for mode: Mode
  ) throws(OvercrankError) -> PipelineSetup {
    guard device.capabilities.deviceCaps.contains(.mediaControllerIO) else { return PipelineSetup() }
    var warnings: [String] = []
    guard let graph = MediaGraph(around: device, from: sensor, warnings: &warnings) else {
      return PipelineSetup()
    }
    try requireSensor(of: graph)
    let found: (configuration: PipelineConfiguration?, refusal: PipelineRefusal?, driver: OpenPipeline)
    do throws(V4L2Error) {
      let driver = try OpenPipeline(graph)
      guard var search = PipelineSearch(in: graph, on: driver) else { return PipelineSetup() }
      found = (try search.configuration(for: mode), search.refusal, driver)
    } catch {
      throw OvercrankError(error)
    }
    guard let configuration = found.configuration else {
      // A graph that the user set up by hand is used unchanged, if it delivers the mode.
      if graph.isSet(to: mode) { return PipelineSetup() }
      if let refusal = found.refusal { throw OvercrankError(refusal, on: path) }
      throw OvercrankError(
        .noMode, "\(path): no mode of \(graph.sensor?.entity.name ?? "the sensor") leads to \(mode).")
    }
    let plan = PipelinePlan(configuration, in: graph, interval: mode.interval)
    do throws(PipelineRefusal) {
      return try PipelineSetup(plan, on: found.driver, of: graph)
    } catch {
      throw OvercrankError(error, on: path, nodes: graph.videoNodes)
    }
  }

  /// Checks that `graph` begins at the requested sensor.
  ///
  /// - Throws: `OvercrankError` with `noCamera` if it does not.
  func requireSensor(of graph: MediaGraph) throws(OvercrankError) {
    guard let sensor, graph.chainEntities.first?.name != sensor else { return }
    throw OvercrankError(
      .noCamera,
      "\(path): no sensor \"\(sensor)\" leads to it; see \"media-ctl -p -d \(graph.media)\".")
  }
}

extension PipelineSetup {
  /// Restores the graph, as ``restore()`` does.
  consuming func restore(on camera: FilePath) throws(OvercrankError) {
    do throws(PipelineRefusal) {
      try restore()
    } catch {
      throw OvercrankError(error, on: camera)
    }
  }
}

extension MediaGraph {
  /// The paths of its video nodes.
  fileprivate var videoNodes: [FilePath] {
    entities.compactMap(\.node).filter { $0.hasPrefix("/dev/video") }.map { FilePath($0) }
  }

  /// Returns whether the pads agree with their present settings, and deliver `mode`.
  fileprivate func isSet(to mode: Mode) -> Bool {
    guard let active = activeReadout, let code = lastCode else { return false }
    return active.size == Dimensions(width: mode.width, height: mode.height)
      && busCodes[mode.fourcc]?.contains(code) == true
  }
}
