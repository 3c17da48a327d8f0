public import SystemPackage
public import Takes

extension TakeLibrary {
  /// The library in `folder`; without one, in the library folder.
  public init(_ folder: FilePath? = nil) {
    self.init(folder ?? LibraryFolder.path, version: Version.current)
  }
}
