import CLinux
import Dispatch
package import Platform
public import Timebase

/// A pulse on a GPIO line at each take's beginning, for a light, a counter or another recorder.
public struct TakePulse: Hashable, Sendable {
  /// The line, which is low between pulses.
  public let line: GPIOLine

  /// The length of a pulse.
  public static let length = Duration.milliseconds(10)

  /// Reads `gpio=CHIP:LINE`.
  ///
  /// - Throws: `QuantityError` if `text` is not of this form.
  public init(text: String) throws(QuantityError) {
    let prefix = "gpio="
    guard text.hasPrefix(prefix) else {
      throw QuantityError(text, expected: "a GPIO line, as in gpio=gpiochip0:17")
    }
    let name = String(text.dropFirst(prefix.count))
    guard !name.contains(",") else {
      throw QuantityError(text, expected: "a GPIO line alone, as in gpio=gpiochip0:17; a pulse is high")
    }
    line = try GPIOLine(text: name)
  }

  /// Checks whether the line is available, before the camera is used.
  ///
  /// - Throws: `OvercrankError` if it is not.
  package func check() throws(OvercrankError) { _ = try line.request(for: .output) }

  /// Requests the line, and sends a pulse when a take of `session` begins, until the result is released.
  ///
  /// - Throws: `OvercrankError` if the line is not available.
  package func open(to session: CaptureSession) throws(OvercrankError) -> any Sendable {
    let output = Output(try line.request(for: .output))
    session.onEvent { [weak output] event in
      if case .takeStarted = event.kind { output?.pulse() }
    }
    return output
  }

  /// The line in use.
  private final class Output: Sendable {
    private let request: GPIOLine.Request
    private let queue = DispatchQueue(label: "overcrank-pulse", qos: .userInteractive)

    init(_ request: GPIOLine.Request) { self.request = request }

    /// Starts a pulse; does not wait for its end.
    func pulse() {
      queue.async { [request, queue] in
        clinux_set_gpio_line(request.descriptor, 1)
        queue.asyncAfter(deadline: .now() + (TakePulse.length / .seconds(1))) {
          clinux_set_gpio_line(request.descriptor, 0)
        }
      }
    }
  }
}
