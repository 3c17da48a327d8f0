import CLinux
import Dispatch
import Glibc
import Platform
import Synchronization
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
    EdgeListener(try line.request(for: .edges(falling: isFalling)), line, session)
  }
}

extension TriggerKind {
  /// An edge on a line of a GPIO chip.
  public static let gpio = TriggerKind(rawValue: "gpio")
}

/// Triggers a session with the edges of a line, until it is released.
private final class EdgeListener: @unchecked Sendable {
  // Unchecked: nothing changes after `init`.
  private let source: any DispatchSourceRead

  /// The resolution of the kernel's stamps.
  private static let resolution = Duration.nanoseconds(1)

  init(_ request: GPIOLine.Request, _ line: GPIOLine, _ session: CaptureSession) {
    source = DispatchSource.makeReadSource(
      fileDescriptor: request.descriptor,
      queue: DispatchQueue(label: "overcrank-gpio", qos: .userInteractive))
    let pace = Mutex(TriggerPace())
    source.setEventHandler { [weak session, source] in
      while let session {
        let stamp = clinux_next_gpio_edge(request.descriptor)
        guard stamp >= 0 else {
          let answer = Errno(rawValue: Int32(clamping: -stamp))
          guard ![.resourceTemporarilyUnavailable, .interrupted].contains(answer) else { return }
          session.tell(
            .error(
              .trigger(
                OvercrankError(
                  .disconnected,
                  "\(line): the GPIO line reports no more edges: \(answer.inWords). The recording continues "
                    + "without it; start it again to trigger with this line.", cause: answer,
                  subject: line.description))))
          source.cancel()
          return
        }
        // A switch bounces for some milliseconds.
        let time = session.time(ofStamp: Instant(nanoseconds: stamp))
        guard pace.withLock({ $0.admits(time) }) else { continue }
        session.commands.trigger(TriggerEvent(.gpio, at: time, uncertainty: Self.resolution))
      }
    }
    // The line stays requested as long as the source watches it.
    source.setCancelHandler { withExtendedLifetime(request) {} }
    session.commands.sourceBegan()
    source.resume()
  }

  deinit { source.cancel() }
}
