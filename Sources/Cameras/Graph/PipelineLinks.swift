import CameraModel
import V4L2

/// The changes to a graph's links after which its chain, and nothing else, gets the sensor's pictures.
struct PipelineLinks: Equatable {
  /// A link between two pads.
  struct Ends: Hashable {
    var source: PadPlace
    var sink: PadPlace
  }

  /// Enabled links to disable.
  private(set) var obstacles: [Ends] = []
  /// Links of the chain to enable.
  private(set) var missing: [Ends] = []
  /// Links beside the chain that carry the same pictures and cannot be disabled, nearest to the
  /// sensor first.
  private(set) var branches: [Ends] = []

  /// Finds the changes that the chain of `graph` needs.
  ///
  /// Obstacles are other links into a sink of the chain, or into its whole entity if that is a multiplexer;
  /// and links that carry the pictures elsewhere, as the kernel requires that every pad they lead to agrees.
  init(of graph: MediaGraph) {
    var seen: Set<Ends> = Set(graph.steps.map(\.ends))
    func obstruct(_ ends: Ends, _ link: MediaGraph.Link, in links: inout PipelineLinks) -> Bool {
      guard link.isEnabled, seen.insert(ends).inserted else { return false }
      guard link.isImmutable else {
        links.obstacles.append(ends)
        return false
      }
      return true
    }
    for step in graph.steps {
      if !step.isEnabled { missing.append(step.ends) }
      let rivals =
        graph.entity(step.sinkEntity).map { entity in
          entity.isMultiplexer ? entity.pads.filter(\.isSink) : [step.sink]
        } ?? []
      for pad in rivals {
        let sink = PadPlace(entity: step.sinkEntity, pad: pad.index)
        for link in pad.links {
          _ = obstruct(Ends(source: link.place, sink: sink), link, in: &self)
        }
      }
    }
    var sources = graph.steps.map { ($0.sourcePlace, $0.source) }
    while !sources.isEmpty {
      let (place, pad) = sources.removeFirst()
      for link in pad.links where obstruct(Ends(source: place, sink: link.place), link, in: &self) {
        branches.append(Ends(source: place, sink: link.place))
        for next in graph.entity(link.entity)?.pads ?? [] where next.isSource {
          sources.append((PadPlace(entity: link.entity, pad: next.index), next))
        }
      }
    }
  }
}

extension MediaGraph {
  /// Returns the entity `id`; `nil` if there is none.
  func entity(_ id: UInt32) -> Entity? { entities.first { $0.id == id } }
}

extension MediaGraph.Entity {
  var isSensor: Bool { function == EntityFunction.sensor.description }

  /// Whether it passes on only one of its inputs at a time.
  fileprivate var isMultiplexer: Bool {
    function == EntityFunction(rawValue: 0x5001).description
  }
}

extension MediaGraph.Pad {
  var isSink: Bool { flags.contains("sink") }
  var isSource: Bool { flags.contains("source") }
}

extension MediaGraph.Link {
  /// The pad at the other end.
  var place: PadPlace { PadPlace(entity: entity, pad: pad) }
  var isEnabled: Bool { flags.contains("enabled") }
  var isImmutable: Bool { flags.contains("immutable") }

  func leads(to place: PadPlace) -> Bool { self.place == place }
}
