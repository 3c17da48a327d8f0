/// The status line at the bottom of the terminal; nothing without a terminal.
struct ProgressLine: Sendable {
  let isShown: Bool

  /// Replaces the line by `text`.
  func draw(_ text: String) { if isShown { Console.draw(text) } }

  /// Clears the line.
  func clear() { if isShown { Console.draw(nil) } }
}
