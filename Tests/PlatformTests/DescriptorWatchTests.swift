import Foundation
import Testing

@testable import Platform

@Suite("A watch of descriptors")
struct DescriptorWatchTests {
  @Test("reads what arrives, tells of a hang-up, and ends when it is released")
  func reads() throws {
    let (first, second) = (Pipe(), Pipe())
    let read = Monitor<[String]>([])
    var watch = DescriptorWatch(name: "test") { wait in
      var ends = [first, second].map(\.fileHandleForReading)
      while let ready = wait.next(of: ends.map(\.fileDescriptor)) {
        for end in ends where ready.contains(end.fileDescriptor) {
          let data = end.availableData
          if data.isEmpty { ends.removeAll { $0 === end } }
          read.change { $0.append(data.isEmpty ? "end" : String(decoding: data, as: UTF8.self)) }
        }
      }
      read.change { $0.append("released") }
    }
    try #require(watch != nil)
    func expect(_ words: String...) {
      #expect(read.wait(for: { $0.count < words.count ? nil : $0 }) == words)
    }
    second.fileHandleForWriting.write(Data("two".utf8))
    expect("two")
    first.fileHandleForWriting.write(Data("one".utf8))
    expect("two", "one")
    try first.fileHandleForWriting.close()
    expect("two", "one", "end")
    second.fileHandleForWriting.write(Data("more".utf8))
    expect("two", "one", "end", "more")
    watch = nil
    expect("two", "one", "end", "more", "released")
  }

  @Test("waits no longer than its limit")
  func limit() throws {
    let rounds = Monitor(0)
    let watch = DescriptorWatch(name: "test") { wait in
      while wait.next(of: [], within: .zero) == [] { rounds.change { $0 += 1 } }
    }
    try #require(watch != nil)
    #expect(rounds.wait(for: { $0 > 2 ? true : nil }))
  }
}
