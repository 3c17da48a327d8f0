import Platform
import CameraModel
import SystemPackage
import Timebase
import V4L2

extension V4L2Camera {
  /// Sets up the media graph of `device` so that it films in `mode`. Drivers without
  /// `V4L2_CAP_IO_MC` do so themselves.
  ///
  /// - Throws: `OvercrankError`: `noMode` where the graph cannot pass the mode on, with the pad that
  ///   does not. The graph is as it was then.
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
      // What someone set up by hand is filmed as it is, where it gives the mode.
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

  /// Throws where `graph` does not begin at the sensor that was asked for.
  func requireSensor(of graph: MediaGraph) throws(OvercrankError) {
    guard let sensor, graph.chainEntities.first?.name != sensor else { return }
    throw OvercrankError(
      .noCamera,
      "\(path): no sensor \"\(sensor)\" leads to it; see \"media-ctl -p -d \(graph.media)\".")
  }
}

extension PipelineSetup {
  /// Puts the graph back, as ``restore()`` does.
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

  /// Whether the pads agree as they are set, and give `mode`.
  fileprivate func isSet(to mode: Mode) -> Bool {
    guard let active = activeReadout, let code = lastCode else { return false }
    return active.size == Dimensions(width: mode.width, height: mode.height)
      && busCodes[mode.fourcc]?.contains(code) == true
  }
}
