import Overcrank

extension CameraTable {
  /// The path of the pictures from the sensor to the camera's node, and the sensor's own modes; empty if no
  /// part of the path can be queried or set.
  var graphLines: [String] {
    guard let graph else { return [] }
    let chain = graph.chainEntities
    guard chain.dropLast().contains(where: { $0.node != nil }) else { return [] }
    var lines = ["", "Media graph \(graph.media) (\(graph.model))"]
    lines.append("  " + chain.map(\.name).joined(separator: " -> "))
    let inChain = Set(chain.map(\.id))
    for entity in chain {
      lines.append(
        "  \(entity.name): \([entity.function, entity.node].compactMap { $0 }.joined(separator: ", "))")
      lines += entity.pads.map { "    \($0.line(within: inChain))" }
    }
    return lines + sensorLines(of: graph)
  }

  private func sensorLines(of graph: MediaGraph) -> [String] {
    guard let sensor else { return [] }
    let size = native.map { ", \($0) pixels" } ?? ""
    let heading = "Sensor \(sensor)\(size)"
    // Sensors list the same sizes for many codes, so codes with equal sizes share a line.
    var order: [[String]] = []
    var codes: [[String]: [String]] = [:]
    let modes = Dictionary(grouping: graph.sensorModes, by: \.code)
    var seen: Set<String> = []
    for code in graph.sensorModes.map(\.code) where seen.insert(code).inserted {
      let sizes = (modes[code] ?? []).map(\.line)
      if codes[sizes] == nil { order.append(sizes) }
      codes[sizes, default: []].append(code)
    }
    guard !order.isEmpty else { return ["", "\(heading): lists no modes"] }
    return ["", heading]
      + order.flatMap { sizes in
        Self.wrapped(codes[sizes] ?? []).map { "  \($0)" } + sizes.map { "    \($0)" }
      }
  }

  /// Returns `words` in lines of a terminal's width.
  private static func wrapped(_ words: [String]) -> [String] {
    var lines: [String] = []
    for word in words {
      if let last = lines.last, last.count + word.count + 2 <= 76 {
        lines[lines.count - 1] = "\(last), \(word)"
      } else {
        lines.append(word)
      }
    }
    return lines
  }
}

extension MediaGraph.Pad {
  /// Returns a line such as `pad 0 (source): SRGGB10_1X10 1920x1080, crop 1920x1080 at 680,692, -> ISP:0
  /// [enabled]`.
  fileprivate func line(within chain: Set<UInt32>) -> String {
    var facts: [String] = []
    if let code, let size, size.count == 2 {
      let rate = interval?.rate.map { " at \($0) fps" } ?? ""
      facts.append("\(code) \(size[0])x\(size[1])\(rate)")
    }
    // A selection of the whole picture adds no information.
    let whole = size.map { [0, 0] + $0.map(Int.init) }
    for (name, terms) in selections.sorted(by: { $0.key < $1.key }) where terms.count == 4 && terms != whole {
      facts.append(
        "\(name.replacing("_", with: " ")) \(terms[2])x\(terms[3]) at \(terms[0]),\(terms[1])")
    }
    let arrow = flags.contains("sink") ? "<-" : "->"
    facts += links.filter { chain.contains($0.entity) }.map { link in
      "\(arrow) \(link.name):\(link.pad) [\(link.flags.joined(separator: ", "))]"
    }
    let others = links.count { !chain.contains($0.entity) }
    if others > 0 { facts.append("\(others) more \(others == 1 ? "link" : "links")") }
    return "pad \(index) (\(flags.joined(separator: ", "))): \(facts.joined(separator: ", "))"
  }
}

extension SensorMode {
  /// A line such as `1920x1080  30, 15 fps`.
  fileprivate var line: String {
    let sizeText =
      switch size {
      case .discrete: "\(size.largest)"
      case .stepwise(let min, let max, _), .continuous(let min, let max): "\(min) to \(max)"
      }
    let rates = intervals.map { $0.rate?.description ?? "\($0.numerator)/\($0.denominator) s" }
    return "\(sizeText)  \(rates.isEmpty ? "no rate listed" : rates.joined(separator: ", ") + " fps")"
  }
}
