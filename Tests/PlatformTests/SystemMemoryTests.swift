import FrameJudge
import SystemPackage
import Testing

@testable import Platform

@Suite("The memory of a container")
struct SystemMemoryTests {
  /// The memory left in a group with these files.
  private func left(_ files: [String: String]) throws -> Int64? {
    let folder = try TemporaryFolder(files: files)
    return SystemMemory.groupBytes(in: SystemFolder(root: FilePath(folder.url.path)))
  }

  @Test("is what its limit leaves, plus that of cached files that are not in use")
  func limited() throws {
    var files = [
      "proc/self/cgroup": "0::/user.slice/film", "sys/fs/cgroup/user.slice/film/memory.max": "1000000",
      "sys/fs/cgroup/user.slice/film/memory.current": "900000",
    ]
    #expect(try left(files) == 100_000)
    files["sys/fs/cgroup/user.slice/film/memory.stat"] = "active_file 70000\ninactive_file 50000\nfile 1"
    #expect(try left(files) == 150_000)
    files["sys/fs/cgroup/user.slice/film/memory.current"] = "1100000"
    #expect(try left(files) == 0)
  }

  @Test("is unknown without a limit, or without a group")
  func unlimited() throws {
    let folder = "sys/fs/cgroup/film"
    #expect(
      try left([
        "proc/self/cgroup": "0::/film", "\(folder)/memory.max": "max", "\(folder)/memory.current": "900000",
      ]) == nil)
    #expect(try left(["proc/self/cgroup": "1:cpu:/film"]) == nil)
    #expect(try left([:]) == nil)
  }
}
