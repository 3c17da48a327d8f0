import Platform
import Media
import SystemPackage
import Testing

@testable import Overcrank

@Suite("The container of a copy")
struct CopyContainerTests {
  @Test(
    "is refused if it cannot hold the frames, with the container that can, or the fact that none does",
    arguments: [
      (Container.mov, "vp8", "Choose a name that ends in .mkv, or encode the clip."),
      (.nut, "apng", "No container available here can, so encode the clip."),
      (.mkv, "rv20", "No container available here can, so encode the clip."),
    ])
  func refused(_ container: Container, _ codec: String, _ remedy: String) {
    let error = #expect(throws: OvercrankError.self) {
      try container.checkHolds(.other(codec), in: FilePath("copy.\(container.fileExtension)"))
    }
    #expect(error?.code == .unsupported)
    #expect(error?.description.hasSuffix("cannot hold frames of \(codec) as they are. \(remedy)") == true)
  }
}
