import V4L2

extension CaptureQueue {
  /// Takes the next buffer, shows it to `body` and gives it back; whether there was one.
  @discardableResult
  borrowing func read(
    within timeout: Duration = .seconds(5), _ body: (borrowing DequeuedBuffer) -> Void = { _ in }
  ) throws(V4L2Error) -> Bool {
    guard case .buffer(let buffer) = try dequeue(within: timeout) else { return false }
    body(buffer)
    try buffer.requeue()
    return true
  }
}
