import CameraModel

extension ModeSheet {
  /// A sentence under the sheet.
  package struct Note: Hashable, Sendable, CustomStringConvertible {
    /// A way to show what is left out, which each program puts into its own words.
    package enum Action: Hashable, Sendable {
      /// Show the sizes that list no rate.
      case showAll
      /// Write the whole table in another form.
      case exportTable
    }

    /// The sentence.
    package let description: String
    /// The way to show it; `nil` for none.
    package let action: Action?

    init(_ description: String, action: Action? = nil) {
      self.description = description
      self.action = action
    }
  }

  /// Returns the notes below the text: the meaning of its marks, and what it leaves out.
  package func legend(_ layout: Layout = Layout()) -> [Note] {
    var notes: [Note] = []
    let marked = lines.flatMap(\.taken).map(\.rate)
    if !marked.isEmpty {
      let rates = Set(marked).sorted().map { "\($0)" }.joined(separator: " or ")
      notes.append(Note("takes: the mode that a recording at \(rates) fps uses."))
    }
    let missing = Self.markedRates.filter { !marked.contains($0) }.sorted()
    if !lines.isEmpty, lines.allSatisfy({ $0.row.fastestRate == nil }) {
      notes.append(Note("No size lists a rate, so no rate is certain."))
    } else if !lines.isEmpty, !missing.isEmpty {
      let rates = missing.map(String.init).joined(separator: " or ")
      notes.append(Note("No mode has \(rates) fps."))
    }
    if lines.contains(where: { $0.row.readout.evidence == Evidence.inferred }) {
      notes.append(Note("?: a guess from the sensor's size; no source states it."))
    }
    if lines.contains(where: { $0.row.size.isRange }) {
      notes.append(Note("AxB..CxD/ExF: any size from AxB to CxD in steps of ExF."))
    }
    if lines.isEmpty { notes.append(Note("There are no modes.")) }
    if hiddenCount > 0 {
      let sizes = hiddenCount == 1 ? "1 sampled size" : "\(hiddenCount) sampled sizes"
      notes.append(Note("\(sizes) without a listed rate not shown.", action: .showAll))
    }
    if isMeasured { notes.append(Note("measured: 99.8/240 means 99.8 fps where 240 were requested.")) }
    let left = table.skipped(layout)
    if !left.isEmpty {
      notes.append(
        Note(
          "Too narrow for: \(left.joined(separator: ", ")). A wider terminal or a pipe shows all.",
          action: .exportTable))
    }
    return notes
  }
}
