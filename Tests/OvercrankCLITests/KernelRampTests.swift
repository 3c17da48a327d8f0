import FilmJudge
import Foundation
import Takes
import Testing
import Timebase

@Suite(
  "Controls of the kernel's cameras that move", .serialized, .tags(.kernel), .needs(KernelCameras.vimc),
  .timeLimit(.minutes(5)))
struct KernelRampTests {
  /// Expects each change that v4l2-ctl saw to be a step, made after the step before and by the step's time, and the
  /// driver to have told of as many as there are steps.
  private func compare(_ steps: [Take.ControlChange], _ seen: [ControlWatch.Change]) {
    // The first sets what stood already: drivers tell of changes alone.
    let made = zip(steps.dropFirst(), steps).filter { $0.value != $1.value }.map { $0.0 }
    #expect(made.count > 5)
    var matched: [(event: Int, step: Int)] = []
    for change in seen {
      guard let step = made.firstIndex(where: { $0.time >= change.time }) else { continue }
      // What the control was set to before the ramp.
      if step == 0, change.value != made[0].value { continue }
      #expect(change.value == made[step].value)
      matched.append((change.number, step))
    }
    // The kernel puts an event that nobody has read yet in place of the one before, and their numbers tell.
    #expect(matched.count > made.count / 2, "\(matched.count) of \(made.count)")
    #expect(Set(matched.map { $0.event - $0.step }).count == 1, "\(matched)")
  }

  private func settings(_ node: String) throws -> String {
    String(decoding: try Program.run("v4l2-ctl", ["-d", node, "-L"]).output, as: UTF8.self)
  }

  @Test(
    "of a lens, a sensor and a debayer are the camera's: listed, set and moved through their sub-devices",
    .tags(.kernel), .needs(KernelCameras.vimc))
  func parts() throws {
    let node = try #require(KernelCameras.vimcNodes.last)
    let lens = try #require(KernelCameras.subdevice("Lens A"))
    let sensor = try #require(KernelCameras.subdevice("Sensor A"))
    let debayer = try #require(KernelCameras.subdevice("Debayer A"))
    defer { _ = try? OvercrankProgram("controls", node, "--reset") }
    struct Listed: Decodable {
      var name: String
      var max: Int64
      var items: [Item]
      struct Item: Decodable { var name: String }
    }
    let before = try [lens, sensor, debayer].map(settings)
    let list = try OvercrankProgram("controls", node, "--json").json([Listed].self)
    let printed = before.joined().matches(of: /\n *([a-z0-9_]+) 0x[0-9a-f]{8}/).map { String($0.1) }
    #expect(Set(list.map(\.name)) == Set(printed))
    #expect(list.first { $0.name == "focus_absolute" }?.max == 1023)
    #expect(list.first { $0.name == "test_pattern" }?.items.last?.name == "Noise")

    let set = try OvercrankProgram(
      "controls", node, "--set", "focus_absolute=12", "--set", "test_pattern=Noise", "--set", "brightness=9")
    #expect(set.status == 0, "\(set.errors)")
    #expect(set.output.contains("focus_absolute: 0 -> 12"))
    #expect(try settings(lens).contains("default=0 value=12"))
    #expect(try settings(sensor).contains("value=21 (Noise)"))
    #expect(try OvercrankProgram("controls", node, "--reset").status == 0)
    #expect(try [lens, sensor, debayer].map(settings) == before)
    let refused = try OvercrankProgram("controls", node, "--set", "focus_absolute=1024")
    #expect(refused.status == 64 && refused.errors.contains("0 to 1023"), "\(refused.errors)")

    let watch = try ControlWatch(lens, "focus_absolute")
    let moved = try OvercrankProgram("controls", node, "--ramp", "focus=0s:0, ease 1s:400", "--json")
    #expect(moved.status == 0, "\(moved.errors)")
    let steps = try moved.json([Take.ControlChange].self)
    #expect(steps.last?.value == 400)
    compare(steps, try watch.end())
  }
}
