import Platform
import FrameJudge
import Foundation
import Glibc
import SystemPackage
import Testing

@testable import Platform

@Suite("Idle work", .timeLimit(.minutes(1)))
struct IdleThreadsTests {
  /// SCHED_IDLE of sched.h.
  private static let idle: CInt = 5

  @Test("runs only on idle cores, with all the threads that it starts, and then as usual work")
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
    // The kernel permits the return to the usual schedule if RLIMIT_NICE does.
    #expect(then == (areAllUsual ? SCHED_OTHER : Self.idle))
    let after = await Task(executorPreference: threads) { sched_getscheduler(0) }.value
    #expect(after == SCHED_OTHER)
    threads.end()
  }

  @Test("of others stays idle when some becomes usual work")
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

  @Test("rests until spare cores are measured")
  func rest() async throws {
    let threads = IdleThreads(count: 2)
    threads.giveWay()
    let policy = Task(executorPreference: threads) { sched_getscheduler(0) }
    // There was no earlier measurement to compare with, so no idle thread may have worked.
    #expect(threads.runAsUsual())
    #expect(await policy.value == SCHED_OTHER)
    threads.end()
  }

  @Test("uses few threads, and more once cores have been spare for a second")
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

  @Test("is limited by the spare cores since the last measurement")
  func spareCores() {
    var cores = SpareCores()
    #expect(cores.look() == nil)
    if let spare = cores.look() { #expect(spare.isFinite) }
  }

  @Test("keeps its bytes in a file without a name, until disk space is short")
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
