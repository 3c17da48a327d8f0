import Cameras
import Diagnostics
import Platform
import Testing
import Timebase

@testable import Overcrank

@Suite("The demand of several cameras")
struct GroupDemandTests {
  private static func demand(
    rings: [Int], chosen: Bool = false, available: Int? = 1 << 30, rate: Double? = 50_000_000,
    free: Int64? = 10_000_000_000, for duration: Duration? = .seconds(10), usb: [USBDevice?] = [nil, nil],
    bus: Int64? = nil, most: Int64? = nil, preRoll: Duration = .zero, takes: Int? = 1
  ) -> GroupDemand {
    GroupDemand(
      cameras: zip(rings, usb).map {
        GroupDemand.Camera(
          ringBytes: $0, isRingChosen: chosen, bytesPerSecond: rate, busBytesPerSecond: bus,
          mostBytesPerSecond: most ?? bus, usb: $1)
      },
      availableBytes: available, freeBytes: free, duration: duration, preRoll: preRoll,
      takeCount: takes)
  }

  @Test("leaves rings as they are where the memory has room for all of them")
  func room() throws {
    let demand = Self.demand(rings: [100 << 20, 200 << 20])
    try demand.check()
    #expect(demand.rings == [100 << 20, 200 << 20] && demand.remarks.isEmpty)
    #expect(Self.demand(rings: [1 << 40, 1 << 40], available: nil).rings == [1 << 40, 1 << 40])
  }

  @Test("shares half of the memory out where the usual rings are larger together")
  func shared() throws {
    let demand = Self.demand(rings: [300 << 20, 900 << 20])
    try demand.check()
    #expect(demand.rings == [128 << 20, 384 << 20])
    #expect(demand.remarks.count == 1 && demand.remarks[0].contains("would be 1200 MiB"))
    #expect(demand.remarks[0].contains("1024 MiB") && demand.remarks[0].contains("so they are 512 MiB"))
  }

  @Test("refuses chosen rings that the memory cannot hold together, with the numbers")
  func refused() throws {
    let demand = Self.demand(rings: [600 << 20, 600 << 20], chosen: true)
    let error = #expect(throws: OvercrankError.self) { try demand.check() }
    #expect(error?.description.contains("1200 MiB of memory, and 1024 MiB") == true)
    try Self.demand(rings: [500 << 20, 500 << 20], chosen: true).check()
  }

  @Test("tells when the disk cannot hold all masters")
  func space() {
    let demand = Self.demand(rings: [1, 1], free: 900_000_000)
    #expect(demand.remarks.count == 1)
    #expect(demand.remarks[0].contains("at least 1 GB, and 900 MB of the disk"))
    #expect(Self.demand(rings: [1, 1], free: 900_000_000, for: nil).remarks.isEmpty)
    #expect(Self.demand(rings: [1, 1], free: 900_000_000, takes: nil).remarks.isEmpty)
    let takes = Self.demand(rings: [1, 1], free: 900_000_000, for: .seconds(5), takes: 2)
    #expect(takes.remarks.first?.contains("at least 1 GB") == true)
  }

  @Test("tells the same of a lone camera")
  func alone() {
    let one = Self.demand(rings: [1], free: 400_000_000).spaceRemark
    #expect(one?.contains("The master takes at least 500 MB, and 400 MB of the disk are free") == true)
    #expect(Self.demand(rings: [1], free: 600_000_000).spaceRemark == nil)
    let takes = Self.demand(rings: [1], free: 600_000_000, takes: 2).spaceRemark
    #expect(takes?.contains("The masters take at least 1 GB") == true)
  }

  @Test("counts no more of a pre-roll than the rings hold")
  func preRoll() {
    let ring = 100_000_000
    let demand = Self.demand(
      rings: [ring, ring], free: 1_000_000, for: .seconds(1), preRoll: .seconds(100_000))
    #expect(demand.remarks.first?.contains("at least 300 MB") == true, "\(demand.remarks)")
  }

  @Test("tells when cameras need more of a USB bus than it carries, and not of two buses")
  func bus() {
    func device(_ name: String) -> USBDevice {
      USBDevice(vendorProduct: "32e4:9230", name: name, megabitsPerSecond: 480)
    }
    let shared = Self.demand(rings: [1, 1], usb: [device("1-2"), device("1-4.1")], bus: 20_000_000)
    #expect(shared.remarks.count == 1 && shared.remarks[0].contains("need 40 MB/s"))
    #expect(shared.remarks[0].contains("USB bus 1"))
    let apart = Self.demand(rings: [1, 1], usb: [device("1-2"), device("3-4")], bus: 20_000_000)
    #expect(apart.remarks.isEmpty)
    let light = Self.demand(rings: [1, 1], usb: [device("1-2"), device("1-4")], bus: 10_000_000)
    #expect(light.remarks.isEmpty)
  }

  /// The verdicts of the doctor on a demand.
  private static func verdicts(_ demand: GroupDemand, disk: Int64?) -> [String: Diagnosis.Verdict] {
    Dictionary(uniqueKeysWithValues: demand.checks(diskSpeed: disk).map { ($0.name, $0.verdict) })
  }

  @Test("is checked by the doctor, with numbers")
  func checked() throws {
    let ports = ["3-1", "3-2"].map { USBDevice(vendorProduct: "32e4:9230", name: $0, megabitsPerSecond: 480) }
    let fine = Self.verdicts(
      Self.demand(rings: [100 << 20, 200 << 20], usb: ports, bus: 10_000_000), disk: 100_000_000)
    #expect(
      Set(fine.keys) == [
        "memory of all cameras", "USB bus 3 of all cameras", "disk speed of all cameras",
        "disk space of all cameras",
      ])
    for (name, verdict) in fine {
      guard case .fine(let words) = verdict else {
        Issue.record("\(name): \(verdict)")
        continue
      }
      // 10 GB at 100 MB/s.
      let number =
        name.hasPrefix("memory") ? "300 MiB" : name.hasPrefix("disk space") ? "about 100 s" : "20 MB/s"
      #expect(words.contains(number), "\(words)")
    }
    let bad = Self.verdicts(
      Self.demand(rings: [300 << 20, 900 << 20], free: 2_000_000_000, usb: ports, bus: 40_000_000),
      disk: 99_000_000)
    for (name, verdict) in bad {
      guard case .finding(let finding) = verdict else {
        Issue.record("\(name): \(verdict)")
        continue
      }
      let isMemory = name.hasPrefix("memory")
      let severity: Finding.Severity = isMemory ? .hint : .problem
      #expect(finding.severity == severity)
      let number = isMemory ? "1200 MiB" : name.hasPrefix("disk space") ? "about 20 s" : "80 MB/s"
      #expect(finding.what.contains(number), "\(finding.what)")
    }
    let unknown = Self.verdicts(
      Self.demand(rings: [1 << 20, 1 << 20], available: nil, rate: nil, usb: ports, bus: nil), disk: nil)
    for (name, verdict) in unknown {
      guard case .unknown = verdict else {
        Issue.record("\(name): \(verdict)")
        continue
      }
    }
  }
  @Test("is bounded for compressed modes of which the most is known")
  func bounded() throws {
    let demand = Self.demand(rings: [1, 1], most: 40_000_000)
    guard case .fine(let words)? = Self.verdicts(demand, disk: 100_000_000)["disk speed of all cameras"]
    else {
      Issue.record("\(Self.verdicts(demand, disk: 100_000_000))")
      return
    }
    #expect(words.contains("at most 80 MB/s"))
    guard case .unknown? = Self.verdicts(demand, disk: 99_000_000)["disk speed of all cameras"] else {
      Issue.record("\(Self.verdicts(demand, disk: 99_000_000))")
      return
    }
    guard case .fine(let space)? = Self.verdicts(demand, disk: nil)["disk space of all cameras"] else {
      Issue.record("\(Self.verdicts(demand, disk: nil))")
      return
    }
    #expect(space.contains("at most 100 s of 2 cameras"))
  }
}
