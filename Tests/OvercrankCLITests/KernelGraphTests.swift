import CameraModel
import Cameras
import Capture
import FrameJudge
import Foundation
import SystemPackage
import Testing

@Suite(
  "A media graph matches what media-ctl and v4l2-ctl print", .serialized,
  .tags(.kernel), .needs(KernelCameras.vimc))
struct KernelGraphTests {
  /// Every node of vimc: two sensors with nothing between, and one behind a debayer and a scaler.
  static let nodes = KernelCameras.vimcNodes

  private func print(_ program: String, _ arguments: String...) throws -> String {
    String(decoding: try Program.run(program, arguments).output, as: UTF8.self)
  }

  /// Each node's table at the start of the tests: a run of the program is slow in an emulated machine.
  private static let tables = Result {
    try Dictionary(uniqueKeysWithValues: nodes.map { ($0, try table($0)) })
  }

  private func table(_ node: String) throws -> CameraTable { try #require(try Self.tables.get()[node]) }

  private static func table(_ node: String) throws -> CameraTable {
    let profiles = ProfileLibrary(userFolder: "/no/such/folder")
    return try CaptureDevice.camera(V4L2Camera(path: FilePath(node))).table(profiles: profiles)
  }

  @Test("in entities, pads, links with their flags, formats and rectangles")
  func topology() throws {
    let node = try #require(Self.nodes.last)
    let run = try OvercrankProgram("formats", node, "--json")
    #expect(run.status == 0, "\(run.errors)")
    let graph = try #require(try run.json(CameraTable.self).graph)
    let printed = PrintedGraph(try print("media-ctl", "-p", "-d", graph.media))
    #expect(printed.lines.count > 50)
    #expect(graph.printedLines == printed.lines)
    #expect(graph.driver == "vimc")
  }

  @Test("in the chain, which follows the enabled links, also after they change")
  func chain() throws {
    var byChain: [[String]: String] = [:]
    for node in Self.nodes {
      let graph = try #require(try table(node).graph)
      byChain[graph.chainEntities.map(\.name)] = node
    }
    #expect(byChain[["Sensor A", "Raw Capture 0"]] != nil)
    #expect(byChain[["Sensor B", "Raw Capture 1"]] != nil)
    let scaled = try #require(byChain[["Sensor A", "Debayer A", "Scaler", "RGB/YUV Capture"]])

    let table = try table(scaled)
    #expect(table.sensor == "Sensor A")
    // vimc's sensors have no rectangles, so this does not test how they are read.
    #expect(table.native == nil)
    #expect(table.rows.allSatisfy { $0.readout.evidence == nil })
    let media = try #require(table.graph).media
    func link(_ debayer: String, _ state: Int) throws {
      try Program.run(
        "media-ctl", ["-d", media, "-l", "\"Debayer \(debayer)\":1 -> \"Scaler\":0 [\(state)]"])
    }
    defer { try? link("A", 1) }
    try link("A", 0)
    defer { try? link("B", 0) }
    try link("B", 1)
    let other = try #require(try Self.table(scaled).graph)
    #expect(other.chainEntities.map(\.name) == ["Sensor B", "Debayer B", "Scaler", "RGB/YUV Capture"])
  }

  @Test("in a sensor's own bus formats, sizes and intervals")
  func sensorModes() throws {
    let node = try #require(Self.nodes.first)
    let graph = try #require(try table(node).graph)
    let sensor = try #require(graph.chainEntities.first)
    let path = try #require(sensor.node)
    func list(_ option: String, _ argument: String) throws -> [Substring] {
      try print("v4l2-ctl", "-d", path, "--list-subdev-\(option)", argument)
        .split(separator: "\n").dropFirst().map { $0.drop(while: \.isWhitespace) }
    }
    func name(_ line: Substring) -> String { line.split(separator: "_FMT_").last.map(String.init) ?? "" }
    // 0x300f: MEDIA_BUS_FMT_SRGGB10_1X10
    let codes = try list("mbus-codes", "0")
    #expect(codes.count > 20)
    #expect(graph.sensorModes.map(\.code) == codes.map(name))
    // Each answer takes a run of v4l2-ctl, which is slow in an emulated machine: three codes represent all.
    for line in [codes.first, codes[codes.count / 2], codes.last].compactMap(\.self) {
      let code = try #require(line.split(separator: ":").first)
      var rows: [String] = []
      for size in try list("framesizes", "pad=0,code=\(code)") {
        // Size Range: 16x16 - 4096x2160
        let largest = try #require(size.split(separator: " ").last).replacing("x", with: ",height=")
        let intervals = try list("frameintervals", "pad=0,code=\(code),width=\(largest)")
        rows.append("\(size.split(separator: ": ").last ?? ""): \(intervals.count)")
      }
      #expect(!rows.isEmpty)
      #expect(graph.sensorModes.filter { $0.code == name(line) }.map(\.printedLine) == rows)
    }
  }

  @Test("in which bus formats lead to which pixel format", arguments: nodes)
  func busCodes(_ node: String) throws {
    let table = try table(node)
    let graph = try #require(table.graph)
    #expect(graph.busCodes["BGR3"] == ["BGR888_1X24", "BGR888_3X8"])
    let listed = Set(table.rows.map(\.fourcc))
    #expect(graph.busCodes.keys.allSatisfy(listed.contains))
    // A scaler does not output Bayer, which a sensor does.
    #expect((graph.busCodes["RGGB"] == nil) == (graph.chain.count > 2))
  }

  @Test("and is printed below the table; settings changed for it are restored")
  func text() throws {
    let node = try #require(Self.nodes.last)
    let graph = try #require(try table(node).graph)
    let before = try print("media-ctl", "-p", "-d", graph.media)
    let run = try OvercrankProgram("formats", node)
    #expect(run.output.contains("\n  \(graph.chainEntities.map(\.name).joined(separator: " -> "))\n"))
    #expect(run.output.contains("): RGB888_1X24 640x480, -> "))
    #expect(run.output.contains("    16x16 to 4096x2160  no rate listed\n"))
    #expect(try print("media-ctl", "-p", "-d", graph.media) == before)
  }

  @Test(
    "and is omitted for a camera whose graph has only its own node",
    .tags(.kernel), .needs(KernelCameras.vivid))
  func alone() throws {
    let node = try #require(KernelCameras.vivid)
    #expect(try Self.table(node).graph?.chainEntities.count == 1)
    #expect(try !OvercrankProgram("formats", node).output.contains("Media graph"))
  }
}

extension SensorMode {
  /// The size as v4l2-ctl prints it, and the number of intervals.
  fileprivate var printedLine: String {
    switch size {
    case .discrete(let width, let height): "\(width)x\(height): \(intervals.count)"
    case .stepwise(let min, let max, _), .continuous(let min, let max):
      "\(min.width)x\(min.height) - \(max.width)x\(max.height): \(intervals.count)"
    }
  }
}

/// The output of `media-ctl -p`, one fact per line, in the order of entities and pads.
private struct PrintedGraph {
  private(set) var lines: [String] = []

  init(_ text: String) {
    var links: [String] = []
    func end() {
      lines += links.sorted()
      links = []
    }
    for line in text.split(separator: "\n").map({ $0.drop(while: \.isWhitespace) }) {
      if let match = line.wholeMatch(of: /- entity (\d+): (.+) \(\d+ pads?, \d+ links?\)/) {
        end()
        lines.append("entity \(match.1) \(match.2)")
      } else if let match = line.wholeMatch(of: /device node name (.+)/) {
        lines.append("node \(match.1)")
      } else if let match = line.wholeMatch(of: /pad(\d+): (.+)/) {
        end()
        lines.append("pad \(match.1) \(match.2.lowercased())")
      } else if let match = line.wholeMatch(of: /(->|<-) "(.+)":(\d+) \[(.*)\]/) {
        links.append("\(match.1) \(match.2):\(match.3) [\(match.4.lowercased())]")
      } else {
        if let match = line.firstMatch(of: /\[fmt:(\w+)\/(\d+x\d+)/) {
          lines.append("format \(match.1) \(match.2)")
        }
        for match in line.matches(of: /(crop|compose)(\.bounds)?:(\(\d+,\d+\)\/\d+x\d+)/) {
          links.append("\(match.1)\(match.2 ?? "") \(match.3)")
        }
      }
    }
    end()
  }
}

extension MediaGraph {
  /// The same facts in the same words.
  fileprivate var printedLines: [String] {
    var lines: [String] = []
    for entity in entities {
      lines.append("entity \(entity.id) \(entity.name)")
      if let node = entity.node { lines.append("node \(node)") }
      for pad in entity.pads {
        lines.append("pad \(pad.index) \(pad.flags.joined(separator: ","))")
        if let code = pad.code, let size = pad.size { lines.append("format \(code) \(size[0])x\(size[1])") }
        var facts: [String] = []
        for (name, terms) in pad.selections where !["native_size", "crop_default"].contains(name) {
          facts.append("\(name.replacing("_", with: ".")) (\(terms[0]),\(terms[1]))/\(terms[2])x\(terms[3])")
        }
        for link in pad.links {
          let arrow = pad.flags.contains("sink") ? "<-" : "->"
          facts.append("\(arrow) \(link.name):\(link.pad) [\(link.flags.joined(separator: ","))]")
        }
        lines += facts.sorted()
      }
    }
    return lines
  }
}
