import V4L2

extension CaptureQueue {
  /// Takes the next buffer, passes it to `body` and returns it to the driver. Returns whether there was one.
  @discardableResult
  borrowing func read(
    within timeout: Duration = .seconds(60), _ body: (borrowing DequeuedBuffer) -> Void = { _ in }
  ) throws(V4L2Error) -> Bool {
    guard case .buffer(let buffer) = try dequeue(within: timeout) else { return false }
    body(buffer)
    try buffer.requeue()
    return true
  }
}
