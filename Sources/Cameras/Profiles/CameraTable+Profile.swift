public import CameraModel

extension CameraTable {
  /// Returns the table with the facts of `profiles` about its camera, and with guesses if only the native
  /// size is known.
  ///
  /// What the driver itself stated stays unchanged.
  public func described(by profiles: ProfileLibrary) -> CameraTable {
    var table = self
    if let profile = profiles.profile(of: self) {
      table.profile = profile.id
      table.native = native ?? profile.native
      table.mounting.kind = mounting.kind ?? profile.kind
      if let native, let claimed = profile.native, native != claimed {
        table.warnings.append(
          "The driver states a native size of \(native), the profile \(profile.id) \(claimed): the driver's is used."
        )
      }
      table.warnings += profile.warnings
      for index in rows.indices { table.rows[index].learn(from: profile) }
      if graph?.isTimedByBlanking == true { table.takeRates(from: profile) }
    }
    table.infer()
    return table.measured(by: profiles)
  }

  /// Adopts the rates of sensor modes whose driver lists none: the rates that blanking allows are known only
  /// for the current mode.
  private mutating func takeRates(from profile: Profile) {
    var isTaken = false
    for index in rows.indices where !rows[index].listsIntervals {
      let crop = rows[index].readout.crop
      let modes = profile.modes.filter {
        $0.covers(rows[index]) && (crop == nil || $0.crop == nil || $0.crop == crop)
      }
      rows[index].intervals = modes.flatMap(\.rates).map(\.interval)
      isTaken = isTaken || !rows[index].intervals.isEmpty
    }
    if isTaken {
      warnings.append(
        "The sensor's driver lists no rates: those of the profile \(profile.id) are tried by setting the vertical blanking."
      )
    }
  }

  /// Returns the table with the user's measurements of its camera.
  package func measured(by profiles: ProfileLibrary) -> CameraTable {
    var table = self
    let measurements = profiles.measurements(of: self)
    for index in rows.indices {
      table.rows[index].measured = measurements.compactMap { MeasuredRate($0, of: rows[index]) }
    }
    return table
  }

  /// Creates the table of a simulated camera.
  package init(_ profile: Profile) {
    self.init(
      id: profile.id, card: profile.match.card ?? profile.name, driver: profile.match.driver ?? "sim",
      bus: "sim", vendorProduct: profile.match.usb,
      rows: profile.modes.flatMap { mode in
        (mode.formats.isEmpty ? [profile.drawnAs].compactMap { $0 } : mode.formats).flatMap { fourcc in
          mode.sizes.map { ModeRow(mode, fourcc: fourcc, size: $0) }
        }
      })
    sensor = profile.match.sensor
    self.profile = profile.id
    native = profile.native
    mounting.kind = profile.kind
    infer()
  }

  /// Fills in what follows from the native size.
  private mutating func infer() {
    guard let native else { return }
    for index in rows.indices { rows[index].infer(from: native) }
  }
}

extension ModeRow {
  fileprivate init(_ mode: Profile.Mode, fourcc: String, size: Dimensions) {
    self.init(
      fourcc: fourcc, size: .discrete(width: size.width, height: size.height),
      intervals: mode.rates.map(\.interval),
      continuous: mode.continuous.count == 2
        ? IntervalRange(min: mode.continuous[1].interval, max: mode.continuous[0].interval) : nil)
    learn(from: [mode])
  }

  fileprivate mutating func learn(from profile: Profile) {
    let modes = profile.modes.filter { $0.covers(self) }
    guard readout.evidence == Evidence.driver else { return learn(from: modes) }
    // A driver that reports the visible part of the sensor does not say whether it was binned. A profile with
    // the same part may, and the whole is then only as reliable as the profile.
    let same = modes.filter { $0.crop == readout.crop && $0.isBinned != nil }
    guard readout.isBinned == nil, readout.crop != nil, !same.isEmpty else { return }
    learn(from: same)
    if readout.isBinned != nil { readout.evidence = Evidence.profile }
  }

  /// Adopts what all of `modes` agree on: if they differ, the profile does not know which of them this is.
  private mutating func learn(from modes: [Profile.Mode]) {
    func agreed<Fact: Equatable>(_ fact: (Profile.Mode) -> Fact?) -> Fact? {
      guard let first = modes.first.flatMap(fact), modes.allSatisfy({ fact($0) == first }) else { return nil }
      return first
    }
    readout.isBinned = readout.isBinned ?? agreed(\.isBinned)
    readout.binning = readout.binning ?? agreed(\.binning)
    readout.crop = readout.crop ?? agreed(\.crop)
    readout.isScaled = readout.isScaled ?? agreed(\.isScaled)
    range = range ?? agreed(\.range)
    if agreed(\.isBinned) != nil || agreed(\.crop) != nil || agreed(\.isScaled) != nil {
      readout.evidence = readout.evidence ?? Evidence.profile
    }
  }

  /// Guesses that a whole fraction of the sensor's size is the whole sensor binned; then computes the field
  /// of view.
  fileprivate mutating func infer(from native: Dimensions) {
    if readout.isBinned == nil, readout.crop == nil, readout.isScaled == nil,
      case .discrete(let width, let height) = size,
      let factor = native.wholeRatio(toWidth: width, height: height)
    {
      readout = Readout(
        isBinned: factor > 1, binning: factor > 1 ? [factor, factor] : nil,
        crop: [0, 0, Int(native.width), Int(native.height)], evidence: Evidence.inferred)
    }
    if let crop = readout.crop, crop.count == 4, native.width > 0, native.height > 0 {
      readout.fieldOfView = [
        percent(of: crop[2], in: native.width), percent(of: crop[3], in: native.height),
      ]
    }
  }

  /// Returns a percentage in tenths, which exceeds the precision of any source.
  private func percent(of part: Int, in whole: UInt32) -> Double {
    (1000 * Double(part) / Double(whole)).rounded() / 10
  }
}

extension Dimensions {
  /// Returns the whole number of times that a size fits, the same across and down, but for a border of a
  /// hundredth; `nil` if there is none, or if no sensor bins by so much.
  fileprivate func wholeRatio(toWidth width: UInt32, height: UInt32) -> Int? {
    guard width > 0, height > 0 else { return nil }
    let factor = (Int(self.width) + Int(width) / 2) / Int(width)
    guard (1...8).contains(factor) else { return nil }
    let rests = [(self.width, width), (self.height, height)].map { native, side in
      (native: Int(native), rest: (Int(native) - factor * Int(side)).magnitude)
    }
    guard rests.allSatisfy({ $0.rest * 100 <= $0.native }) else { return nil }
    // Binning may cut off a border; a size that is nearly native may be cropped as well as scaled.
    return factor == 1 && rests.contains { $0.rest > 0 } ? nil : factor
  }
}
