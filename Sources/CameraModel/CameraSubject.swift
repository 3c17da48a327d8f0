extension String {
  /// This name of a camera as a message begins with it: `/dev/video0:`, and `sim:`, which ends with the colon already.
  package var asSubject: String { hasSuffix(":") ? self : self + ":" }
}
