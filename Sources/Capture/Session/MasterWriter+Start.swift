import CameraModel
import Media
import Takes

extension MasterWriter {
  /// Starts the master of a recording, with errors told as those of filming.
  static func start(
    to path: String, as format: MasterFormat, of frames: FrameFormat, replacing: Bool,
    metadata: TakeMetadata? = nil
  ) throws(CaptureError) -> MasterWriter {
    do throws(MediaError) {
      return try MasterWriter(to: path, as: format, of: frames, replacing: replacing, metadata: metadata)
    } catch {
      throw .master(error)
    }
  }
}
