/// The version of the tool, which takes carry too.
enum Version {
  static let current = "0.1.0"
}
