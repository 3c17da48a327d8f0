/// The line at the foot of the terminal that is drawn over; nothing where there is no terminal.
struct ProgressLine: Sendable {
  let isShown: Bool

  /// Draws `text` over what stood there.
  func draw(_ text: String) { if isShown { Console.draw(text) } }

  /// Clears the line.
  func clear() { if isShown { Console.draw(nil) } }
}
