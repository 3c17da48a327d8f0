import CLinux
import Glibc
import Platform
import Testing
import Timebase

@testable import Capture

@Suite("A datagram trigger")
struct DatagramTriggerTests {
  @Test(
    "reads ports, addresses and OSC messages, and writes them alike",
    arguments: [
      ("udp=9000", nil, 9000, nil), ("udp=0.0.0.0:9000", "0.0.0.0", 9000, nil), ("udp=[::]:1", "::", 1, nil),
      ("udp=[fe80::1%eth0]:9000", "fe80::1%eth0", 9000, nil), ("udp=65535,osc:/a/b", nil, 65535, "/a/b"),
      ("udp=[::1]:9000,osc:/trigger", "::1", 9000, "/trigger"),
    ] as [(String, String?, UInt16, String?)])
  func reads(_ text: String, _ host: String?, _ port: UInt16, _ message: String?) throws {
    let source = try #require(try TriggerSources.source(text) as? UDPTrigger)
    #expect(source.address.host == host && source.address.port == port && source.message == message)
    #expect(source.description == text)
  }

  @Test(
    "refuses other texts",
    arguments: [
      "udp", "udp=", "udp=0", "udp=65536", "udp=+1", "udp=x", "udp=localhost:9000", "udp=:9000",
      "udp=::1:9000",
      "udp=[::1]", "udp=[127.0.0.1]:9", "udp=[fe80::1%]:9", "udp=1.2.3:9", "udp=1.2.3.4:", "udp=1.2.3.4\0:9",
      "udp=9000,", "udp=9000,osc", "udp=9000,osc:", "udp=9000,osc:trigger", "udp=9000,osc:/a*",
      "udp=9000,osc:/a b", "udp=9000,osc:/", "udp=9000,motion",
    ])
  func refuses(_ text: String) { #expect(throws: QuantityError.self) { try TriggerSources.source(text) } }

  @Test("listens to both loopback addresses, or to the given one")
  func hosts() throws {
    #expect(try DatagramAddress(text: "9000").hosts == ["127.0.0.1", "::1"])
    #expect(try DatagramAddress(text: "[::]:9000").hosts == ["::"])
  }

  @Test("admits one of several triggers within ten milliseconds, in whatever order their times come")
  func pace() {
    var pace = TriggerPace()
    let admitted = [0, 5, 9, 10, 15, 12, 20, -100, .max, .min].filter { (milliseconds: Int64) in
      pace.admits(Instant(nanoseconds: milliseconds.multiplied(clamping: 1_000_000)))
    }
    #expect(admitted == [0, 10, 20, -100, .max, .min])
  }
}

@Suite("A message of Open Sound Control")
struct OSCMessageTests {
  private func text(_ text: String) -> [UInt8] {
    Array(text.utf8) + Array(repeating: 0, count: 4 - text.utf8.count % 4)
  }

  private func bundle(_ packets: [UInt8]...) -> [UInt8] {
    text("#bundle") + [0, 0, 0, 0, 0, 0, 0, 1] + packets.flatMap { [0, 0, 0, UInt8($0.count)] + $0 }
  }

  @Test("triggers by its address alone")
  func address() {
    #expect(OSCMessage.triggers("/trigger", in: text("/trigger") + text(",")))
    #expect(OSCMessage.triggers("/go", in: text("/go")))
    #expect(OSCMessage.triggers("/abc", in: text("/abc") + text(",s") + text("x")))
    for other in ["/trigge", "/trigger2", "/*", "trigger", ""] {
      #expect(!OSCMessage.triggers("/trigger", in: text(other) + text(",")))
    }
  }

  @Test("triggers in a bundle, too")
  func bundles() {
    let (go, other) = (text("/go") + text(","), text("/other") + text(",i") + [0, 0, 0, 1])
    #expect(OSCMessage.triggers("/go", in: bundle(other, go)))
    #expect(OSCMessage.triggers("/go", in: bundle(other, bundle(other, go))))
    #expect(!OSCMessage.triggers("/go", in: bundle(other, bundle(other))))
    var deep = go
    for _ in 0..<9 { deep = bundle(deep) }
    #expect(!OSCMessage.triggers("/go", in: deep))
  }

  @Test("does not trigger if its first argument is zero, false or cut off: a button was released")
  func release() {
    let arguments: [(String, [UInt8], Bool)] = [
      (",i", [0, 0, 0, 0], false), (",i", [0, 0, 0, 1], true), (",i", [255, 255, 255, 255], true),
      (",f", [0, 0, 0, 0], false), (",f", [0x80, 0, 0, 0], false), (",f", [0x3f, 0x80, 0, 0], true),
      (",F", [], false), (",T", [], true), (",d", [0, 0, 0, 0, 0, 0, 0, 0], false),
      (",d", [0, 0, 0, 0, 0, 0, 0, 1], true), (",h", [0, 0, 0, 0, 0, 0, 0, 0], false),
      (",h", [0x80, 0, 0, 0, 0, 0, 0, 0], true), (",if", [0, 0, 0, 1, 0, 0, 0, 0], true), (",i", [0], false),
    ]
    for (tags, bytes, triggers) in arguments {
      #expect(
        OSCMessage.triggers("/go", in: text("/go") + text(tags) + bytes) == triggers, "\(tags) \(bytes)")
    }
  }

  @Test("is not read beyond the end of a packet")
  func cut() {
    let packet = bundle(text("/other"), text("/go") + text(",i") + [0, 0, 0, 0])
    for count in 0..<packet.count {
      #expect(!OSCMessage.triggers("/nothing", in: Array(packet.prefix(count))))
    }
    let huge = text("#bundle") + [0, 0, 0, 0, 0, 0, 0, 1] + [255, 255, 255, 255] + text("/go")
    #expect(!OSCMessage.triggers("/go", in: huge))
  }
}

@Suite("Sockets of datagrams", .tags(.program), .timeLimit(.minutes(1)))
struct DatagramSocketTests {
  /// Returns a free UDP port of the loopback interface.
  private func freePort() throws -> UInt16 {
    for port in UInt16(20_000)...UInt16(29_000) where port % 7 == 3 {
      let socket = clinux_receive_datagrams_at("127.0.0.1", port)
      guard socket >= 0 else { continue }
      close(socket)
      return port
    }
    throw QuantityError("20000-29000", expected: "a range with a free port")
  }

  @Test("a port in use and an address of another machine are refused with their remedies")
  func refused() throws {
    let port = try freePort()
    let holder = clinux_receive_datagrams_at("127.0.0.1", port)
    defer { close(holder) }
    let busy = #expect(throws: OvercrankError.self) { try TriggerSources.source("udp=\(port)").check() }
    #expect(busy?.code == .busy && busy?.description.contains("another port") == true)
    let foreign = #expect(throws: OvercrankError.self) {
      try TriggerSources.source("udp=192.0.2.1:\(port)").check()
    }
    #expect(
      foreign?.code == .noAddress && foreign?.description.contains("not an address of this machine") == true)
  }

  @Test("a datagram has its sender, and the time of its arrival with its error")
  func arrival() throws {
    let port = try freePort()
    let (receiver, sender) = (
      clinux_receive_datagrams_at("127.0.0.1", port), clinux_receive_datagrams_at("127.0.0.1", port + 1)
    )
    defer {
      close(receiver)
      close(sender)
    }
    var origin = clinux_datagram()
    var bytes = [UInt8](repeating: 0, count: 16)
    #expect(clinux_receive_datagram(receiver, &bytes, 16, &origin) == -Int64(EAGAIN))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    // The kernel begins to stamp arrivals a moment after it is asked to. Until then it stamps what is read.
    var isOfTheArrival = false
    for _ in 1...40 where !isOfTheArrival {
      let before = MonotonicClock.now
      let sent = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          sendto(sender, "go", 2, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      #expect(sent == 2)
      let after = MonotonicClock.now
      // The time is that of the arrival, however late it is read.
      usleep(50_000)
      #expect(clinux_receive_datagram(receiver, &bytes, 16, &origin) == 2)
      #expect(bytes.prefix(2) == Array("go".utf8)[...])
      let error = Duration.nanoseconds(origin.uncertainty)
      #expect(origin.uncertainty >= 0)
      let arrival = Instant(nanoseconds: origin.arrival)
      #expect(arrival >= before - error)
      isOfTheArrival = arrival <= after + error
    }
    #expect(isOfTheArrival)
    clinux_answer_datagram(receiver, &origin, "ok", 2)
    #expect(clinux_receive_datagram(sender, &bytes, 16, &origin) == 2)
  }
}
