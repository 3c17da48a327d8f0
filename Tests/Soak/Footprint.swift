import Foundation
import Synchronization

/// What this process takes of the machine.
struct Footprint: CustomStringConvertible {
  let kilobytes: Int
  let descriptors: Int
  let ownThreads: Int

  var description: String {
    "\(kilobytes / 1024) MiB, \(descriptors) descriptors, \(ownThreads) threads of its own"
  }

  private static var now: Footprint {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let resident = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    let kilobytes = resident.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    // Without the one that lists them.
    let descriptors =
      ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []).count - 1
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    let names = tasks.compactMap {
      try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)
    }
    return Footprint(
      kilobytes: kilobytes, descriptors: descriptors,
      ownThreads: names.count { $0.hasPrefix("overcrank-") })
  }

  /// Once what a recording began has ended: sockets and threads go a moment after it.
  static func settled() throws -> Footprint {
    var found = now
    for _ in 0..<50 {
      usleep(20_000)
      let next = now
      if next.descriptors == found.descriptors, next.ownThreads == found.ownThreads { return next }
      found = next
    }
    return found
  }

  /// - Throws: ``Wrong`` where something grows.
  static func check(_ footprints: [Footprint]) throws {
    // Caches of libraries and of the allocator fill in the first recordings.
    let settled = footprints.dropFirst(footprints.count / 4)
    guard let first = settled.first, let last = settled.last else { return }
    let (early, late) = (settled.prefix(settled.count / 2 + 1), settled.suffix(settled.count / 2 + 1))
    func most(_ some: ArraySlice<Footprint>, _ figure: (Footprint) -> Int) -> Int {
      some.map(figure).max() ?? 0
    }
    // What leaks never comes back. On a busy machine a socket may still be open when it is looked for.
    func grows(_ figure: (Footprint) -> Int) -> Bool {
      settled.suffix(settled.count / 4 + 1).map(figure).min() ?? 0 > most(early, figure)
    }
    guard !grows(\.descriptors) else { throw Wrong("descriptors grow: \(settled.map(\.descriptors))") }
    guard !grows(\.ownThreads) else { throw Wrong("threads grow: \(settled.map(\.ownThreads))") }
    guard most(late, \.kilobytes) <= most(early, \.kilobytes) + most(early, \.kilobytes) / 8 + 16 << 10 else {
      throw Wrong("memory grows from \(first) to \(last): \(settled.map(\.kilobytes)) KiB")
    }
  }
}

/// Counts up, from any thread.
final class Counter: Sendable {
  private let count = Atomic(0)
  func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).newValue }
}
