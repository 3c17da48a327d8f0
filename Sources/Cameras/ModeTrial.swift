public import Platform
public import CameraModel
import Timebase
import V4L2

/// A trial of a choice's modes, set on the camera one after the other until the driver accepts one.
public struct ModeTrial: Hashable, Sendable {
  /// The choice of ``mode``; if there is no mode, the last choice that was tried.
  public private(set) var choice: ModeChoice?
  /// The mode to capture in; `nil` if the driver accepts none of them.
  ///
  /// A larger mode, if the driver chose that instead and it is fast enough.
  public private(set) var mode: Mode?
  /// The driver's answer to ``mode``.
  public private(set) var accepted: AcceptedMode?
  /// The requested mode, if the driver changed it.
  public private(set) var adjustedFrom: Mode?
  /// The modes before it that the driver refused, best first.
  public private(set) var refused: [ModeRefusal] = []

  /// Tries the winner of each choice and then its runners-up, and stops at the first that is accepted.
  ///
  /// A mode is refused if the driver sets another format, a smaller size, or a rate below 0.99 of the
  /// requested one, or fails with `noMode`. If a driver reports no rate, the table's claim is accepted.
  ///
  /// - Parameters:
  ///   - choices: the modes to try, the best choice first.
  ///   - ask: sets the camera to a mode and reads back the result.
  /// - Throws: what `ask` throws, except `noMode`.
  public init(
    of choices: [ModeChoice], ask: (Mode) throws(OvercrankError) -> AcceptedMode
  ) throws(OvercrankError) {
    for choice in choices {
      self.choice = choice
      try run(choice, ask)
      if mode != nil { return }
    }
  }

  private mutating func run(
    _ choice: ModeChoice, _ ask: (Mode) throws(OvercrankError) -> AcceptedMode
  ) throws(OvercrankError) {
    // A choice at a lower rate may repeat a mode that was refused at a higher one: it is tried again only at
    // another interval.
    for mode in choice.ranking where !refused.contains(where: { $0.mode == mode }) {
      let got: AcceptedMode
      do throws(OvercrankError) {
        got = try ask(mode)
      } catch {
        guard error.code == .noMode else { throw error }
        refused.append(ModeRefusal(mode: mode, got: nil, reason: "was refused: \(error.description)"))
        continue
      }
      if let reason = choice.request.whatIsLacking(in: got, for: mode) {
        refused.append(ModeRefusal(mode: mode, got: got, reason: reason))
        continue
      }
      accepted = got
      self.mode = mode
      if !got.isSize(of: mode) {
        adjustedFrom = mode
        // How the driver reads a size of its own from the sensor is unknown.
        self.mode = Mode(
          fourcc: got.fourcc, width: got.width, height: got.height, interval: got.interval ?? mode.interval)
      }
      return
    }
  }
}

extension ModeChoice.Request {
  /// Explains why `got` does not do in place of `mode`, in words that follow it; `nil` if it does.
  fileprivate func whatIsLacking(in got: AcceptedMode, for mode: Mode) -> String? {
    let isOther = !got.isSize(of: mode)
    let rate = got.interval?.rate
    guard PixelFormat(fourcc: got.fourcc) == mode.pixelFormat, got.width >= mode.width,
      got.height >= mode.height, criteria.admits(width: got.width, height: got.height)
    else { return "gave \(got)" }
    // For a size that the table does not list, only the driver's answer gives a rate.
    guard rate.map({ $0.framesPerSecond >= floor }) ?? !isOther else { return "gave \(got)" }
    return nil
  }
}

extension V4L2Camera {
  /// Sets the device and its media graph to `mode`, reads back the driver's answer, and restores both.
  package func acceptance(of mode: Mode) throws(OvercrankError) -> AcceptedMode {
    let format = try pixelFormat(of: mode)
    let device = try open()
    let graph = try setUpGraph(of: device, for: mode)
    let sensorInterval = graph.acceptedInterval
    let accepted: AcceptedMode
    do throws(V4L2Error) {
      let given = try device.acceptance(
        of: format, width: mode.width, height: mode.height, interval: mode.interval)
      accepted = AcceptedMode(
        fourcc: given.format.pixelFormat.description, width: given.format.width, height: given.format.height,
        interval: given.interval ?? sensorInterval)
    } catch {
      throw OvercrankError(error)
    }
    try graph.restore(on: path)
    return accepted
  }
}
