public import Platform
public import CameraModel
import Timebase
import V4L2

/// The modes of a choice, set on the camera one after the other until the driver gives one.
public struct ModeTrial: Hashable, Sendable {
  /// The choice that ``mode`` is of; where there is none, the last that was tried.
  public private(set) var choice: ModeChoice?
  /// The mode to film in; `nil` where the driver gives none of them.
  ///
  /// Where the driver made a larger one of it that is fast enough all the same, that larger one.
  public private(set) var mode: Mode?
  /// What the driver made of ``mode``.
  public private(set) var accepted: AcceptedMode?
  /// The mode that was asked for where the driver made another of it.
  public private(set) var adjustedFrom: Mode?
  /// The modes before it that the driver does not give, best first.
  public private(set) var refused: [ModeRefusal] = []

  /// Tries the winner of each choice and then its runners-up, and stops at the first that is given.
  ///
  /// A mode is refused where the driver gives another format, a smaller size, or a rate below 0.99 of
  /// the one asked for, or fails with `noMode`. A driver that knows no rate is taken at its table's word.
  ///
  /// - Parameters:
  ///   - choices: the modes to try, the best choice first.
  ///   - ask: sets the camera to a mode and reads back what stands then.
  /// - Throws: what `ask` throws, but for `noMode`.
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
    // A choice at a lower rate may name a mode once more that was refused at a higher one: it is asked again only
    // where it is to run at another interval.
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
        // Nothing is known of how the driver reads a size of its own from the sensor.
        self.mode = Mode(
          fourcc: got.fourcc, width: got.width, height: got.height, interval: got.interval ?? mode.interval)
      }
      return
    }
  }
}

extension ModeChoice.Request {
  /// Why `got` will not do in place of `mode`, in words that follow it; `nil` where it will.
  fileprivate func whatIsLacking(in got: AcceptedMode, for mode: Mode) -> String? {
    let isOther = !got.isSize(of: mode)
    let rate = got.interval?.rate
    guard PixelFormat(fourcc: got.fourcc) == mode.pixelFormat, got.width >= mode.width,
      got.height >= mode.height, criteria.admits(width: got.width, height: got.height)
    else { return "gave \(got)" }
    // Of a size that it does not list, only its own word says how fast it is.
    guard rate.map({ $0.framesPerSecond >= floor }) ?? !isOther else { return "gave \(got)" }
    return nil
  }
}

extension V4L2Camera {
  /// Sets the device and its media graph to `mode`, reads back what its driver made of it, and puts
  /// all back as it was.
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
