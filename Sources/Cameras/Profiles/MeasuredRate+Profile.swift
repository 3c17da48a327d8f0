import CameraModel

extension MeasuredRate {
  /// What `measurement` says of the mode in `row`; `nil` where it is about another.
  init?(_ measurement: Profile.Measurement, of row: ModeRow) {
    guard let size = measurement.size, case .discrete(size.width, size.height) = row.size,
      measurement.format == nil || measurement.format == row.fourcc
    else { return nil }
    self.init(asked: measurement.asked.rate, got: measurement.got.rate)
  }
}
