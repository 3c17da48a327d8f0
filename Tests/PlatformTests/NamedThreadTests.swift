import Foundation
import Testing

@testable import Platform

@Suite("A named thread")
struct NamedThreadTests {
  /// The memory mapped by this process, in kB.
  private static var mapped: Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    return status.split(separator: "\n").first { $0.hasPrefix("VmSize:") }
      .flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }

  @Test("leaves nothing behind if its end is not waited for")
  func dropped() throws {
    let stack = 8 << 10  // kB, by "ulimit -s"
    let (before, count) = (Self.mapped, 300)
    for _ in 0..<count {
      let end = DispatchSemaphore(value: 0)
      _ = try #require(NamedThread(name: "test") { end.signal() })
      end.wait()
    }
    // Other tests map memory meanwhile, but less than hundreds of stacks.
    #expect(Self.mapped - before < count * stack / 2)
  }

  @Test("is waited for once")
  func joined() throws {
    let said = Monitor(0)
    let thread = try #require(NamedThread(name: "test") { said.change { $0 += 1 } })
    thread.join()
    thread.join()
    #expect(said.read { $0 } == 1)
  }
}
