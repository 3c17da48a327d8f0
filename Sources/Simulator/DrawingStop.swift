import Platform

/// A check for cancellation during drawing, which may take many seconds for a large picture.
struct DrawingStop {
  private let isStopped: () -> Bool

  /// Creates a check that cancels the drawing once `isStopped` returns `true`.
  init(_ isStopped: @escaping () -> Bool = { false }) { self.isStopped = isStopped }

  /// Checks for cancellation.
  ///
  /// - Throws: `OvercrankError` with `cancelled` if the drawing must stop.
  func check() throws(OvercrankError) {
    guard !isStopped() else {
      throw OvercrankError(.cancelled, "The drawing of a simulated camera's pictures was cancelled.")
    }
  }
}
