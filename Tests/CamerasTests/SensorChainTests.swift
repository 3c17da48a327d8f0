import CameraModel
import FrameJudge
import Testing
import V4L2

@testable import Cameras

@Suite("The path from a sensor to its node")
struct SensorChainTests {
  @Test("passes through bridge and scaler, and ignores links that are not enabled")
  func chain() throws {
    var graph = GraphSample()
    graph.entity(2, "scaler", .scaler)
    graph.entity(3, "bridge")
    graph.entity(4, "sensor", .sensor)
    graph.entity(5, "test pattern", .sensor)
    graph.link(5, 2, [])
    graph.link(4, 3, [.enabled, .immutable])
    graph.link(3, 2)
    graph.link(2, 1)
    let chain = try #require(graph.chain)
    #expect(chain.entities == [4, 3, 2, 1])
    #expect(chain.connections.map(\.source.entity) == [4, 3, 2])
    #expect(chain.connections.map(\.sink.entity) == [3, 2, 1])
    #expect(chain.sensor == 4)
    #expect(chain.otherSensors.isEmpty)
  }

  @Test("uses links that could be enabled if none is")
  func possible() throws {
    var graph = GraphSample()
    graph.entity(2, "bridge")
    graph.entity(3, "sensor", .sensor)
    graph.link(3, 2, [])
    graph.link(2, 1, [])
    #expect(try #require(graph.chain).entities == [3, 2, 1])
  }

  @Test("begins at the nearest of several sensors, then the first, and lists the others")
  func several() throws {
    var graph = GraphSample()
    graph.entity(2, "multiplexer")
    graph.entity(3, "far", .sensor)
    graph.entity(4, "first", .sensor)
    graph.entity(5, "second", .sensor)
    graph.entity(6, "bridge")
    graph.link(3, 6)
    graph.link(6, 2)
    graph.link(4, 2)
    graph.link(5, 2)
    graph.link(2, 1)
    let chain = try #require(graph.chain)
    #expect(chain.entities == [4, 2, 1])
    #expect(chain.otherSensors == [5, 3])
  }

  @Test("begins at an entity without input if there is no sensor")
  func noSensor() throws {
    var graph = GraphSample()
    graph.entity(2, "HDMI receiver", EntityFunction(rawValue: 0x6001))
    graph.link(2, 1)
    let chain = try #require(graph.chain)
    #expect(chain.entities == [2, 1])
    #expect(chain.sensor == nil)
    #expect(try #require(GraphSample().chain).entities == [1])
  }

  @Test("ends at a cycle, with or without a sensor in it", .timeLimit(.minutes(1)))
  func circles() throws {
    var graph = GraphSample()
    graph.entity(2, "a")
    graph.entity(3, "b")
    graph.link(1, 1)
    graph.link(2, 1)
    graph.link(3, 2)
    graph.link(2, 3)
    graph.link(1, 3)
    #expect(try #require(graph.chain).entities == [1])
    graph.entity(4, "sensor", .sensor)
    graph.link(4, 3)
    graph.link(3, 4)
    #expect(try #require(graph.chain).entities == [4, 3, 2, 1])
  }

  @Test("skips links to and from entities and pads that do not exist")
  func missing() throws {
    var graph = GraphSample()
    graph.entity(2, "sensor", .sensor)
    graph.link(99, 1)
    graph.link(2, 99)
    graph.topology.links.append(.init(source: 0, sink: .max, flags: .enabled))
    graph.topology.links.append(.init(source: 3 << 24 | 77, sink: 1, flags: .interface))
    // A pad of an entity that does not exist, linked both ways.
    graph.topology.pads.append(.init(id: 500, entity: 99, index: 0, flags: .source))
    graph.topology.links.append(.init(source: 500, sink: GraphSample.sink(1), flags: .enabled))
    graph.topology.links.append(.init(source: GraphSample.source(2), sink: 500, flags: .enabled))
    #expect(try #require(graph.chain).entities == [1])
    #expect(MediaGraph.entities(of: graph.topology).flatMap(\.pads).flatMap(\.links).isEmpty)
    graph.link(2, 1)
    #expect(try #require(graph.chain).entities == [2, 1])
  }

  @Test("tolerates duplicate numbers")
  func twice() throws {
    var graph = GraphSample()
    graph.entity(2, "sensor", .sensor)
    graph.entity(2, "not the sensor")
    graph.entity(1, "another node")
    graph.link(2, 1)
    graph.link(2, 1)
    #expect(try #require(graph.chain).entities == [2, 1])
    #expect(MediaGraph.entities(of: graph.topology).count == 4)
  }

  @Test("is not found in a graph of another node")
  func stranger() {
    var graph = GraphSample()
    #expect(SensorChain(in: graph.topology, to: DeviceNumber(major: 81, minor: 8)) == nil)
    graph.topology.links.removeAll()
    #expect(graph.chain == nil)
    #expect(
      SensorChain(
        in: MediaTopology(entities: [], interfaces: [], pads: [], links: []), to: GraphSample.device) == nil)
  }

  @Test("is found by a single visit to each of thousands of entities and links", .timeLimit(.minutes(1)))
  func large() throws {
    var graph = GraphSample()
    let count: UInt32 = 20_000
    for id in 2...count { graph.entity(id, "bridge \(id)") }
    // A long path, with links back along it, and from each entity to entity 2.
    for id in 2...count {
      graph.link(id, id - 1)
      graph.link(id - 1, id)
      graph.link(id, 2)
    }
    graph.entity(count + 1, "sensor", .sensor)
    for _ in 0..<5000 { graph.link(count + 1, count) }
    let chain = try #require(graph.chain)
    #expect(chain.sensor == count + 1)
    // Every bridge leads directly to entity 2.
    #expect(chain.entities == [count + 1, count, 2, 1])
    #expect(MediaGraph.entities(of: graph.topology).count == Int(count) + 1)
  }

  @Test("leads to the node in every random graph in which there is one")
  func random() {
    let found = (0..<200 as Range<UInt64>).count { seed in hasSoundChain(seed) }
    #expect(found > 10)
  }

  /// Returns whether a random graph has a path, and checks that path.
  private func hasSoundChain(_ seed: UInt64) -> Bool {
    var random = SplitMix(state: seed)
    func number() -> UInt32 { UInt32.random(in: 0...12, using: &random) }
    let topology = MediaTopology(
      entities: (0..<number()).map { _ in
        .init(id: number(), name: "e", function: number() < 3 ? .sensor : GraphSample.bridge)
      },
      interfaces: (0..<number()).map { _ in .init(id: number(), device: GraphSample.device) },
      pads: (0..<2 * number()).map { _ in
        .init(id: number(), entity: number(), index: number(), flags: PadFlags(rawValue: number()))
      },
      links: (0..<4 * number()).map { _ in
        .init(
          source: number(), sink: number(),
          flags: number() < 3 ? .interface : LinkFlags(rawValue: number()))
      })
    guard let chain = SensorChain(in: topology, to: GraphSample.device) else { return false }
    #expect(Set(chain.entities).count == chain.entities.count)
    #expect(chain.connections.count == chain.entities.count - 1)
    #expect(chain.entities.last == topology.entity(of: GraphSample.device))
    #expect(MediaGraph.entities(of: topology).count == topology.entities.count)
    return true
  }
}
