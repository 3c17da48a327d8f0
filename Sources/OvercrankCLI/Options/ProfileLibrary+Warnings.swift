import Overcrank

extension ProfileLibrary {
  /// All profiles, with a warning for each of the user's that cannot be read.
  init(for output: OutputOptions) {
    self.init()
    for failure in failures { output.remark("warning: \(failure) What it says is passed over.") }
  }
}
