import Platform
import FilmJudge
import Foundation
import Glibc
import SystemPackage
import Testing

@testable import Platform

@Suite("Work for what is left of the cores", .timeLimit(.minutes(1)))
struct IdleThreadsTests {
  /// SCHED_IDLE of sched.h.
  private static let idle: CInt = 5

  @Test("runs where nothing else wants to, with all that it starts, and then as all else does")
  func scheduling() async throws {
    let threads = IdleThreads(count: 2)
    let before = await Task(executorPreference: threads) { sched_getscheduler(0) }.value
    #expect(before == Self.idle)
    let started = Monitor((policy: CInt?.none, mayEnd: false))
    let inherits = await Task(executorPreference: threads) {
      NamedThread(name: "test-inherits") {
        started.change { $0.policy = sched_getscheduler(0) }
        _ = started.wait { $0.mayEnd ? true : nil }
        started.change { $0.policy = sched_getscheduler(0) }
      }
    }.value
    let thread = try #require(inherits)
    let inherited = started.wait { $0.policy }
    #expect(inherited == Self.idle)
    let areAllUsual = threads.runAsUsual()
    started.change { $0.mayEnd = true }
    thread.join()
    let then = started.read { $0.policy }
    // The kernel lets it go back for those whom RLIMIT_NICE allows it.
    #expect(then == (areAllUsual ? SCHED_OTHER : Self.idle))
    let after = await Task(executorPreference: threads) { sched_getscheduler(0) }.value
    #expect(after == SCHED_OTHER)
    threads.end()
  }

  @Test("of others stays idle when some runs as all else does")
  func others() async throws {
    let (some, others) = (IdleThreads(count: 1), IdleThreads(count: 1))
    let policy = Task(executorPreference: others) { sched_getscheduler(0) }
    #expect(await policy.value == Self.idle)
    #expect(some.runAsUsual())
    let then = Task(executorPreference: others) { sched_getscheduler(0) }
    #expect(await then.value == Self.idle)
    some.end()
    others.end()
  }

  @Test("rests until it is known that cores are spare")
  func rest() async throws {
    let threads = IdleThreads(count: 2)
    threads.giveWay()
    let policy = Task(executorPreference: threads) { sched_getscheduler(0) }
    // No look could be compared with one before it, so no idle thread may have worked.
    #expect(threads.runAsUsual())
    #expect(await policy.value == SCHED_OTHER)
    threads.end()
  }

  @Test("fewer threads work at once, and more once cores have been spare for a second")
  func allowance() {
    var allowance = IdleAllowance(most: 2)
    func note(_ spare: [Double?]) -> Int {
      for spare in spare { allowance.note(spare) }
      return allowance.count
    }
    #expect(allowance.count == 0)
    #expect(note([nil, 1.8, 1.8, 1.8, 1.8]) == 0)
    #expect(note([1.8]) == 2)
    #expect(note([0.8]) == 1)
    #expect(note([1.9, 1.9, 0.9, 1.9, 1.9, 1.9, 1.9]) == 1)
    #expect(note([1.9]) == 2)
    #expect(note([0.69]) == 0)
    #expect(note([9, 9, 0.8, 9, 9]) == 1)
    #expect(note([nil]) == 0)
    #expect(note([.infinity, .infinity, .infinity, .infinity, .infinity]) == 2)
    #expect(note([-.infinity]) == 0)
    #expect(note([.nan, .nan, .nan, .nan, .nan]) == 0)
  }

  @Test("cores are looked at from one look to the next")
  func spareCores() {
    var cores = SpareCores()
    #expect(cores.look() == nil)
    if let spare = cores.look() { #expect(spare.isFinite) }
  }

  @Test("a file without a name holds what was put in, until the disk gets short")
  func scratch() throws {
    let folder = try TemporaryFolder()
    let file = try ScratchFile(in: FilePath(folder.url.path))
    #expect(try folder.names.isEmpty)
    let words = ["one", "two", "three"].map { Array($0.utf8) }
    let places = try words.map { word in try word.withUnsafeBytes { try file.append($0) } }
    #expect(places == [0, 3, 6])
    #expect(file.size == 11)
    for (word, place) in zip(words, places) {
      var read = [UInt8](repeating: 0, count: word.count)
      try read.withUnsafeMutableBytes { try file.read(at: place, into: $0) }
      #expect(read == word)
    }
    file.giveWay(keeping: 1)
    #expect(!file.isDropped)
    file.giveWay(keeping: .max)
    #expect(file.isDropped)
    #expect(file.size == 0)
    #expect(throws: OvercrankError.self) { _ = try words[0].withUnsafeBytes { try file.append($0) } }
    var byte: [UInt8] = [0]
    #expect(throws: OvercrankError.self) {
      try byte.withUnsafeMutableBytes { try file.read(at: 0, into: $0) }
    }
    #expect(throws: OvercrankError.self) { try ScratchFile(in: FilePath(folder.path("nowhere"))) }
  }
}
