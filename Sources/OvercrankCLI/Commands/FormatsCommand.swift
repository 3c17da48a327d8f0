import ArgumentParser
import Cameras
import Foundation
import Media
import Timebase
import V4L2

struct FormatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "formats", abstract: "Lists every pixel format, frame size and rate that a camera claims.")

  @Argument(help: "The camera: /dev/videoN, N, a part of its name, or sim:. Without it, the first there is.")
  var camera: String?

  @OptionGroup var source: TableOptions

  @Flag(help: "Print the table as comma-separated values.")
  var csv = false

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if csv, output.json {
      throw ValidationError("--csv and --json are two forms of the same; give one of them.")
    }
    try source.validate(camera: camera)
  }

  func run() throws {
    let table = try source.table(camera: camera, output)
    if output.json { return try Console.sayJSON(table) }
    let lines = csv ? table.csvLines : table.textLines + table.graphLines
    Console.say(lines.joined(separator: "\n"))
  }
}

extension CameraTable {
  /// A line of what it is, then a line for each format and size.
  fileprivate var textLines: [String] {
    let name = [card, driver.map { "(\($0))" }, bus].compactMap { $0 }.joined(separator: " ")
    return [name.isEmpty ? id ?? "Camera" : name] + rows.map { "  \($0.textLine)" }
  }

  fileprivate var csvLines: [String] {
    ["fourcc,width,height,interval_numerator,interval_denominator,fps"]
      + rows.flatMap { row in
        row.intervals.map { interval in
          let (width, height) = row.largestSize
          let rate = interval.rate.map(\.description) ?? ""
          return "\(row.fourcc),\(width),\(height),\(interval.numerator),\(interval.denominator),\(rate)"
        }
      }
  }
}

extension ModeRow {
  fileprivate var largestSize: (width: UInt32, height: UInt32) {
    switch size {
    case .discrete(let width, let height): (width, height)
    case .stepwise(_, let max, _), .continuous(_, let max): (max.width, max.height)
    }
  }

  fileprivate var textLine: String {
    let sizeText =
      switch size {
      case .discrete(let width, let height): "\(width)x\(height)"
      case .stepwise(let min, let max, let step):
        "\(min.width)x\(min.height) to \(max.width)x\(max.height) by \(step.width)x\(step.height)"
      case .continuous(let min, let max): "\(min.width)x\(min.height) to \(max.width)x\(max.height)"
      }
    var rates = intervals.map { $0.rate?.description ?? "\($0.numerator)/\($0.denominator) s" }
    for range in [stepwise, continuous] {
      guard let range else { continue }
      rates.append("\(range.max.rate?.description ?? "?") to \(range.min.rate?.description ?? "?")")
    }
    let rateText = rates.isEmpty ? "no rate listed" : rates.joined(separator: ", ") + " fps"
    let range = isSampled ? ["of the range"] : []
    return (["\(fourcc)  \(sizeText)  \(rateText)"] + range + readout.facts).joined(separator: ", ")
  }
}
