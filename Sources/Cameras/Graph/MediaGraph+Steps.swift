import CameraModel

extension MediaGraph {
  /// A link of the chain, with its source and sink pads.
  struct Step {
    var sourceEntity: UInt32
    var source: Pad
    var sinkEntity: UInt32
    var sink: Pad
    var isEnabled: Bool

    var sourcePlace: PadPlace { PadPlace(entity: sourceEntity, pad: source.index) }
    var sinkPlace: PadPlace { PadPlace(entity: sinkEntity, pad: sink.index) }
    var ends: PipelineLinks.Ends { .init(source: sourcePlace, sink: sinkPlace) }
  }

  /// The links of the chain; empty if it is incomplete.
  var steps: [Step] {
    let entities = chainEntities
    var steps: [Step] = []
    for (from, to) in zip(entities, entities.dropFirst()) {
      let found = from.pads.lazy.filter(\.isSource).compactMap { source -> Step? in
        guard let link = source.links.first(where: { $0.entity == to.id }),
          let sink = to.pads.first(where: { $0.index == link.pad })
        else { return nil }
        return Step(
          sourceEntity: from.id, source: source, sinkEntity: to.id, sink: sink, isEnabled: link.isEnabled)
      }
      guard let step = found.first(where: \.isEnabled) ?? found.first else { return [] }
      steps.append(step)
    }
    return steps
  }
}
