/// A form in which the programs of laboratories read videos and the times of their frames.
///
/// In each form, row n of a camera's times is frame n of its exported video. Lost frames are gaps in the times.
public enum ExportForm: String, Hashable, Sendable, CaseIterable {
  /// The masters, and a table of all frames.
  case csv
  /// The folders of campy, which DANNCE reads too: `Camera1/0.mp4` with `frametimes.npy`.
  case campy
  /// A session of Anipose: `videos-raw/NAME-camA.mp4`.
  case anipose
  /// A recording of the Miniscope software: `A/0.avi` with `timeStamps.csv`.
  case miniscope
}
