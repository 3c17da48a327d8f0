/// A way to find where the frames of several cameras lie on one clock.
public enum AlignmentMethod: String, Codable, CodingKeyRepresentable, Hashable, Sendable, CaseIterable {
  /// By the kernel's timestamps, which share one clock on one machine.
  case stamps
  /// By flashes that all cameras saw.
  case flash
  /// By a noise that all microphones heard, such as a clap.
  case clap
  /// By the trigger that began the takes.
  case trigger
}
