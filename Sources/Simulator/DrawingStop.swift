import Platform
import Media

/// Asked between the pieces of a drawing, which takes many seconds where the picture is large.
struct DrawingStop {
  private let isStopped: () -> Bool

  /// For a drawing that goes on until `isStopped` says otherwise.
  init(_ isStopped: @escaping () -> Bool = { false }) { self.isStopped = isStopped }

  /// - Throws: `OvercrankError` with `cancelled` where the drawing is to stop.
  func check() throws(OvercrankError) {
    guard !isStopped() else {
      throw OvercrankError(.cancelled, "The pictures of a simulated camera were not drawn to the end.")
    }
  }
}
