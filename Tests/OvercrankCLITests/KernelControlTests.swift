import CameraModel
import FrameJudge
import Foundation
import Testing

@Suite("Controls of the kernel's camera", .serialized, .tags(.kernel), .needs(KernelCameras.vivid))
struct KernelControlTests {
  private struct Listed: Decodable {
    struct Item: Decodable {
      var value: Int64
      var name: String
    }
    var id: UInt32
    var name: String
    var type: String
    var min: Int64
    var max: Int64
    var step: Int64
    var `default`: Int64
    var flags: [String]
    var items: [Item]
    var dims: [UInt32]
    var value: Value?

    enum Value: Decodable {
      case number(Int64)
      case text(String)

      init(from decoder: any Decoder) throws {
        let content = try decoder.singleValueContainer()
        self = try (try? content.decode(Int64.self)).map { .number($0) } ?? .text(content.decode(String.self))
      }

      var number: Int64? { if case .number(let number) = self { number } else { nil } }
    }
  }

  private func said(_ arguments: String...) throws -> String {
    String(decoding: try Program.run("v4l2-ctl", arguments).output, as: UTF8.self)
  }

  @Test("are listed as v4l2-ctl lists them, row by row")
  func listing() throws {
    let node = try #require(KernelCameras.vivid)
    let run = try OvercrankProgram("controls", node, "--json")
    #expect(run.status == 0, "\(run.errors)")
    let ours = try run.json([Listed].self)
    let row = #/^ *(?<name>[a-z0-9_]+) 0x(?<id>[0-9a-f]+) \((?<type>[a-z0-9]+) *\) *: (?<facts>.*)$/#
    let item = #/^\s+(?<value>\d+): (?<name>.*)$/#
    var compared = 0
    var current: Listed?
    var items: [Listed.Item] = []
    for line in try said("-d", node, "-L").split(separator: "\n") {
      if let match = line.wholeMatch(of: row) {
        #expect(current == nil || items.isEmpty, "\(current?.name ?? ""): items left over")
        let id = try #require(UInt32(match.id, radix: 16))
        let mine = try #require(ours.first { $0.id == id }, "\(match.name) is not listed")
        (current, items) = (mine, mine.items)
        compared += 1
        #expect(mine.name == match.name)
        #expect(mine.type == match.type || mine.type == "compound")
        let text = String(match.facts)
        func fact(_ name: String) -> Int64? {
          guard let start = text.range(of: "\(name)=")?.upperBound else { return nil }
          let word = text[start...].prefix { $0 != " " }
          return word.hasPrefix("0x") ? Int64(word.dropFirst(2), radix: 16) : Int64(word)
        }
        for (name, value) in [
          ("min", mine.min), ("max", mine.max), ("step", mine.step), ("default", mine.default),
        ] {
          guard let theirs = fact(name) else { continue }
          #expect(value == theirs, "\(mine.name) \(name)")
        }
        #expect(mine.flags.contains("volatile") == text.contains("volatile"))
        #expect(mine.flags.contains("inactive") == text.contains("inactive"))
        #expect(mine.flags.contains("read-only") == text.contains("read-only"))
        guard let theirs = fact("value"), !text.contains("volatile"), !text.contains("write-only"),
          !text.contains("has-payload")
        else { continue }
        // v4l2-ctl prints bits as a signed number.
        let value = mine.type == "bitmask" ? Int64(UInt32(truncatingIfNeeded: theirs)) : theirs
        #expect(mine.value?.number == value, "\(mine.name)")
      } else if let match = line.wholeMatch(of: item) {
        let next = try #require(items.isEmpty ? nil : items.removeFirst(), "\(line)")
        #expect("\(next.value)" == match.value)
        // v4l2-ctl prints an item of an integer menu twice: "2 (0x2)".
        #expect(match.name == next.name || match.name.hasPrefix("\(next.name) (0x"))
      }
    }
    #expect(compared > 50)
    let text = ours.first { $0.type == "str" }
    #expect(text?.value?.number == nil && text?.value != nil)
  }

  @Test("are set together, in an order that works, and read back")
  func set() throws {
    let node = try #require(KernelCameras.vivid)
    defer {
      _ = try? Program.run("v4l2-ctl", ["-d", node, "-c", "gain_automatic=1,brightness=128,menu=3"])
    }
    let run = try OvercrankProgram(
      "controls", node, "--set", "gain=33", "--set", "gain_automatic=off", "--set", "Brightness=140", "--set",
      "menu=Menu Item 4")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("menu: 3 (Menu Item 3) -> 4 (Menu Item 4)"))
    let values = try said("-d", node, "-C", "gain,gain_automatic,brightness,menu")
    #expect(values.contains("gain: 33"))
    #expect(values.contains("gain_automatic: 0"))
    #expect(values.contains("brightness: 140"))
    #expect(values.contains("menu: 4"))
    #expect(try OvercrankProgram("controls", node, "--reset").status == 0)
    #expect(try said("-d", node, "-C", "gain_automatic,brightness") == "gain_automatic: 1\nbrightness: 128\n")
  }

  @Test("refuse invalid values, each with its exit code and reason")
  func refusals() throws {
    let node = try #require(KernelCameras.vivid)
    let before = try KernelCameras.settings(of: node)
    let refusals: [(setting: String, status: Int32, words: String)] = [
      ("gain=1", 69, "Set gain_automatic=0 as well"), ("brihgtness=1", 69, "Similar: brightness"),
      ("brightness=256", 64, "0 to 255"), ("read_only_integer_32_bits=1", 69, "read-only"),
      ("menu=2", 64, "1 (Menu Item 1), 3 (Menu Item 3)"),
    ]
    for (setting, status, words) in refusals {
      let run = try OvercrankProgram("controls", node, "--set", setting)
      #expect(run.status == status, "\(setting): \(run.errors)")
      #expect(run.errors.contains(words), "\(run.errors)")
    }
    #expect(try KernelCameras.settings(of: node) == before)
  }

  @Test("are restored after a take, however it ends", arguments: [nil, SIGINT, SIGTERM, SIGHUP])
  func putBack(_ signal: Int32?) throws {
    let node = try #require(KernelCameras.vivid)
    try Program.run("v4l2-ctl", ["-d", node, "-c", "brightness=77"])
    // What the take changes; v4l2-ctl starts much faster than the program in an emulated machine.
    defer {
      _ = try? Program.run("v4l2-ctl", ["-d", node, "-c", "gain_automatic=1,brightness=128"])
    }
    let before = try KernelCameras.settings(of: node)
    let folder = try TemporaryFolder()
    var during = ""
    let run = try OvercrankProgram(
      [
        "record", node, "--no-thumbnail", "--fps", "60", "--max-width", "320", "--no-clip", "-o",
        folder.path("x.mp4"), "--set",
        "gain=40", "--set", "gain_automatic=off", "--set", "brightness=9",
      ] + (signal == nil ? ["--frames", "10"] : ["--duration", "1h"]),
      whileRunning: { process in
        folder.waitForVideo(of: process)
        guard let signal else { return }
        during = try said("-d", node, "-C", "brightness,gain,gain_automatic")
        kill(process.processIdentifier, signal)
      })
    #expect(run.status == 0, "\(run.errors)")
    #expect(signal == nil || during == "brightness: 9\ngain: 40\ngain_automatic: 0\n")
    #expect(try KernelCameras.settings(of: node) == before)
    let take = try folder.take()
    #expect(take.controls["brightness"]?.from == 77)
    #expect(take.controls["brightness"]?.to == 9)
    #expect(take.controls["brightness"]?.value == 9)
    #expect(take.controls["gain_automatic"]?.to == 0)
    let hue = try #require(take.controls["hue"])
    #expect(hue.value == 0 && hue.from == nil && hue.to == nil)
  }

  @Test("are set for a measurement as for a take, and restored after it")
  func bench() throws {
    struct Report: Decodable { var controls: [String: ControlInForce] }
    let node = try #require(KernelCameras.vivid)
    let before = try KernelCameras.settings(of: node)
    let run = try OvercrankProgram(
      "bench", node, "--fps", "60", "--duration", "1s", "--gain", "1000", "--set", "brightness=9", "--json"
    )
    #expect(run.status == 0, "\(run.errors)")
    let controls = try run.json(Report.self).controls
    #expect(controls["gain"]?.value == 255)
    #expect(controls["gain_automatic"]?.to == 0)
    #expect(controls["brightness"]?.value == 9)
    #expect(run.errors.contains("the camera takes 0 to 255"))
    #expect(try KernelCameras.settings(of: node) == before)
  }

  @Test("are left unchanged if one of those requested is impossible")
  func allOrNothing() throws {
    let node = try #require(KernelCameras.vivid)
    let before = try KernelCameras.settings(of: node)
    let folder = try TemporaryFolder()
    let run = try OvercrankProgram(
      "record", node, "--no-thumbnail", "--fps", "60", "--frames", "5", "-o", folder.path("x.mp4"), "--set",
      "brightness=9",
      "--set", "gain=3")
    #expect(run.status == 69)
    #expect(run.errors.contains("gain_automatic"))
    #expect(try folder.names.isEmpty)
    #expect(try KernelCameras.settings(of: node) == before)
  }
}
