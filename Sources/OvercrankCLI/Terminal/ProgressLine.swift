import Foundation
import Synchronization

/// One line at the foot of the terminal that is drawn over; nothing where there is no terminal.
final class ProgressLine: Sendable {
  private let isShown: Bool
  private let lastLength = Mutex(0)

  init(isShown: Bool) { self.isShown = isShown && Console.isInteractive }

  /// Draws `text` over what stood there.
  func draw(_ text: String) {
    guard isShown else { return }
    lastLength.withLock { length in
      let padding = String(repeating: " ", count: max(0, length - text.count))
      Console.write("\r\(text)\(padding)", to: STDERR_FILENO)
      length = text.count
    }
  }

  /// Clears the line for what is printed next.
  func clear() {
    guard isShown else { return }
    lastLength.withLock { length in
      if length > 0 { Console.write("\r\(String(repeating: " ", count: length))\r", to: STDERR_FILENO) }
      length = 0
    }
  }
}
