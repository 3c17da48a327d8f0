/// The version of Overcrank, by semantic versioning.
public enum Version {
  /// This version.
  public static let current = "0.2.0"
}
