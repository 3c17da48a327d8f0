public import ArgumentParser
public import Overcrank

extension TakesExportCommand {
  /// Exports the takes in the form of other programs.
  func export(as form: ExportForm) async throws {
    let recordings = try await recordings()
    guard !recordings.isEmpty else {
      if output.json { try Console.sayJSON([ExportReport]()) }
      return output.remark("There are no takes to export in \"\(folder.library.folder)\".")
    }
    let masters = recordings.flatMap(\.cameras).compactMap(\.entry.master)
    let bytes = masters.reduce(Int64(0)) { $0.adding(clamping: $1.fileSize ?? 0) }
    output.remark(
      "Copying the frames of \(masters.count) \(masters.count == 1 ? "take" : "takes") to \(destination) as "
        + "\(form.rawValue): \(bytes.sizeWords).")
    if names.isEmpty, !yes { try ask() }
    let stopped = StopFlag()
    Interruption.shared.set { stopped.set() }
    let line = ProgressLine(isShown: !output.quiet)
    let outcomes = FormExport(to: destination, as: form)
      .run(recordings, isStopped: { stopped.isSet }, progress: { line.draw($0.words) })
    line.clear()
    Interruption.shared.clear()
    if output.json {
      try Console.sayJSON(outcomes.map { ExportReport($0, destination: destination) })
    } else {
      for outcome in outcomes { Console.say(outcome.words(destination)) }
    }
    for remark in Set(outcomes.flatMap(\.remarks)).sorted() { Console.remark(remark) }
    try Self.report(outcomes.compactMap(\.failure), isStopped: stopped.isSet)
  }

  /// Returns what was named, or all takes of the library.
  private func recordings() async throws(OvercrankError) -> [ExportedRecording] {
    guard !names.isEmpty else {
      let all = try await presentEntries(for: TakeExport(to: destination))
      return ExportedRecording.recordings(of: all.filter { $0.photo == nil })
    }
    var (recordings, takes) = ([ExportedRecording](), [LibraryEntry]())
    for item in try await folder.items(named: names) {
      switch item {
      case .entry(let entry): takes.append(entry)
      case .group(let group): recordings.append(try ExportedRecording(group))
      }
    }
    return recordings + ExportedRecording.recordings(of: takes)
  }
}

extension ExportForm: ExpressibleByArgument {}

extension FormExport.Outcome {
  /// The place of the recording after the export, for people.
  fileprivate func words(_ destination: FilePath) -> String {
    let names = files.map { file in
      var rest = file
      return rest.removePrefix(destination) ? rest.string.printable : file.string.printable
    }
    let name = recording.path.name.printable
    if isComplete {
      return "\(name): \(names.count) files in \(destination), \(bytes.sizeWords), read back and compared."
    }
    if names.isEmpty { return "\(name): was not exported." }
    return "\(name): not all of it was exported. In \(destination) now: \(names.joined(separator: ", "))."
  }
}
