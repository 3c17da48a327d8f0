extension Profile {
  /// What its quirks mean to whoever believes the camera's table, a sentence or two each.
  var warnings: [String] {
    quirks.map { quirk in "\(quirk.kind.meaning): \(quirk.note) (profile \(id))" }
  }
}

extension Profile.Quirk.Kind {
  fileprivate var meaning: String {
    switch self {
    case .rateIgnored: "The driver takes any rate and the camera ignores it"
    case .claimFails: "Not every mode in this table can be had at its rate"
    case .contentDiffers: "The bytes of some modes are not what their format says"
    }
  }
}
