import CLinux
import Platform
import SystemPackage
import Timebase

/// An edge on a line of a GPIO chip: a light barrier, a switch, a sensor.
struct GPIOTrigger: TriggerSource {
  static let kind = TriggerKind.gpio
  static let usage =
    "gpio=LINE: a line of a GPIO chip rises, as in gpio=gpiochip0:17 or gpio=LABEL:NAME; "
    + "gpio=gpiochip0:17,falling: it falls"
  static let example = "gpio=gpiochip0:17"

  /// The line.
  let line: GPIOLine
  /// Whether its falling edge triggers, and not the rising one.
  let isFalling: Bool

  init(argument: String?) throws(QuantityError) {
    guard let argument else {
      throw QuantityError("gpio", expected: "a GPIO line; write gpio=gpiochip0:17")
    }
    let parts = argument.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
    line = try GPIOLine(text: String(parts[0]))
    isFalling = parts.count == 2
    guard parts.count == 1 || parts[1] == "falling" else {
      throw QuantityError(String(parts[1]), expected: "the word falling, as in gpio=\(line),falling")
    }
  }

  var description: String { "gpio=\(line)\(isFalling ? ",falling" : "")" }
  var prompt: String { "let \(line) \(isFalling ? "fall" : "rise")" }

  var ownedPart: String? { "GPIO line \(line)" }

  func check() throws(OvercrankError) { _ = try line.request(for: .edges(falling: isFalling)) }

  func open(to session: CaptureSession) throws(OvercrankError) -> (any Sendable)? {
    let request = try line.request(for: .edges(falling: isFalling))
    return try session.watch("overcrank-gpio") { [weak session] wait in
      // A switch bounces for some milliseconds.
      var pace = TriggerPace()
      while wait.next(of: [request.descriptor]) != nil {
        guard let session else { return }
        if let failure = read(request, at: &pace, to: session) {
          return session.tell(.error(.trigger(failure)))
        }
      }
    }
  }

  /// The resolution of the kernel's stamps.
  private static let resolution = Duration.nanoseconds(1)

  /// Triggers `session` with the edges that wait at the line. Returns why there will be no more; `nil` if there
  /// may be.
  private func read(
    _ request: GPIOLine.Request, at pace: inout TriggerPace, to session: CaptureSession
  ) -> OvercrankError? {
    while true {
      let stamp = clinux_next_gpio_edge(request.descriptor)
      guard stamp >= 0 else {
        let answer = Errno(rawValue: Int32(clamping: -stamp))
        return [.resourceTemporarilyUnavailable, .interrupted].contains(answer)
          ? nil
          : OvercrankError(
            .disconnected,
            "\(line): the GPIO line reports no more edges: \(answer.inWords). The recording continues "
              + "without it; start it again to trigger with this line.", cause: answer,
            subject: line.description)
      }
      let time = session.time(ofStamp: Instant(nanoseconds: stamp))
      guard pace.admits(time) else { continue }
      session.commands.trigger(TriggerEvent(.gpio, at: time, uncertainty: Self.resolution))
    }
  }
}

extension TriggerKind {
  /// An edge on a line of a GPIO chip.
  public static let gpio = TriggerKind(rawValue: "gpio")
}
