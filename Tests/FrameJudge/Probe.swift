import Foundation

/// A video as ffprobe describes it: an independent check.
public struct Probe: Decodable, Sendable {
  /// A track.
  public struct Stream: Decodable, Sendable {
    /// Such as `mjpeg`; `nil` if ffprobe has no name for it.
    public let codec_name: String?
    /// The file's four letters for the codec, such as `hvc1`.
    public let codec_tag_string: String?
    /// Such as `yuvj422p`.
    public let pix_fmt: String?
    /// The width in pixels.
    public let width: Int?
    /// The height in pixels.
    public let height: Int?
    /// Such as `1/1000000`.
    public let time_base: String
    /// Such as `30/1`.
    public let r_frame_rate: String
    /// Such as `30/1`.
    public let avg_frame_rate: String
    /// Ticks.
    public let duration_ts: Int64?
    /// The number of frames according to the index.
    public let nb_frames: String?
    /// Such as `tv`.
    public let color_range: String?
    /// Such as `bt709`.
    public let color_space: String?
    /// Such as `bt709`.
    public let color_transfer: String?
    /// Such as `bt709`.
    public let color_primaries: String?
    /// Such as `4:3`.
    public let sample_aspect_ratio: String?
    /// Such as `High`.
    public let profile: String?
    /// Additional data, such as a matrix that turns the picture.
    public let side_data_list: [SideData]?
    /// Metadata of the track.
    public let tags: [String: String]?
  }

  /// Additional data of a track.
  public struct SideData: Decodable, Sendable {
    /// Degrees.
    public let rotation: Int?
  }

  /// A coded frame.
  public struct Packet: Decodable, Sendable {
    /// Ticks.
    public let pts: Int64?
    /// Ticks.
    public let dts: Int64?
    /// Ticks.
    public let duration: Int64?
    /// `K_` for a keyframe.
    public let flags: String
    /// Bytes.
    public let size: String
  }

  /// The file.
  public struct Format: Decodable, Sendable {
    /// Such as `mov,mp4,m4a,3gp,3g2,mj2`.
    public let format_name: String
    /// Seconds.
    public let duration: String?
    /// Metadata.
    public let tags: [String: String]?
  }

  /// All tracks.
  public let streams: [Stream]
  /// All coded frames, in the order of the file.
  public let packets: [Packet]
  /// The file.
  public let format: Format

  /// Runs ffprobe on the file at `path`.
  public init(_ path: String) throws {
    let answer = try Program.run(
      "ffprobe",
      ["-v", "error", "-show_streams", "-show_packets", "-show_format", "-of", "json", path])
    self = try JSONDecoder().decode(Probe.self, from: answer.output)
  }
}

/// Returns the four-letter names of a MOV or MP4 file's top-level boxes, in order.
public func boxes(of path: String) throws -> [String] {
  let data = try Data(contentsOf: URL(filePath: path))
  func number(_ offset: Int, _ count: Int) -> Int {
    data[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
  }
  var names: [String] = []
  var offset = 0
  while offset + 16 <= data.count {
    names.append(String(decoding: data[offset + 4..<offset + 8], as: UTF8.self))
    let size = number(offset, 4)
    offset += size == 1 ? number(offset + 8, 8) : max(size, 8)
  }
  return names
}
