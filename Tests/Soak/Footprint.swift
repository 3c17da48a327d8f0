import Foundation
import Synchronization

/// The resources that this process uses.
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
    // Without the descriptor that lists them.
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

  /// Measured once the recording's resources are released: sockets and threads end a moment after it.
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

  /// - Throws: ``Wrong`` if a number grows.
  static func check(_ footprints: [Footprint]) throws {
    // Caches of libraries and of the allocator fill in the first recordings.
    let settled = footprints.dropFirst(footprints.count / 4)
    guard let first = settled.first, let last = settled.last else { return }
    let (early, late) = (settled.prefix(settled.count / 2 + 1), settled.suffix(settled.count / 2 + 1))
    func most(_ some: ArraySlice<Footprint>, _ figure: (Footprint) -> Int) -> Int {
      some.map(figure).max() ?? 0
    }
    // A leak is permanent. On a busy machine a socket may still be open at the first look.
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

/// Counts up, on any thread.
final class Counter: Sendable {
  private let count = Atomic(0)
  func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).newValue }
}
