import Foundation

/// The bytes in which phones store a video's capture rate, built only from the formats' descriptions.
public enum PhoneBoxes {
  /// Returns a box of MOV and MP4: its size, its type, and its content.
  public static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    number(content.count + 8) + Array(type.utf8) + content
  }

  /// Returns `moov/meta` as in Android's `MPEG4Writer`, with one key and a value of QuickTime's `type`.
  public static func key(_ key: String, type: Int, _ value: [UInt8]) -> [UInt8] {
    let handler = box("hdlr", number(0) + number(0) + "mdta".utf8 + [UInt8](repeating: 0, count: 13))
    let keys = box("keys", number(0) + number(1) + box("mdta", Array(key.utf8)))
    let item = box("\u{0}\u{0}\u{0}\u{1}", box("data", number(type) + number(0) + value))
    return box("meta", handler + keys + box("ilst", item))
  }

  /// Returns `com.android.capture.fps`.
  public static func captureRate(_ rate: Float) -> [UInt8] {
    key("com.android.capture.fps", type: 23, number(Int(rate.bitPattern)))
  }

  /// Returns `moov/udta/smta` of a Samsung camera in this mode, then the rate of `srfr`, in 65536ths.
  public static func samsung(mode: UInt8, rate: UInt32? = nil) -> [UInt8] {
    let author = box("saut", [0, 0, 0, 0, 1, 3, 0, mode])
    let rates = rate.map { box("srfr", number(Int($0))) } ?? []
    return box("udta", box("smta", number(0) + author + rates))
  }

  /// Returns Samsung's trailer with one entry.
  public static func trailer(_ name: String, _ value: String) -> [UInt8] {
    let data: [UInt8] = [0, 0, 0x90, 0x08] + little(name.utf8.count) + name.utf8 + value.utf8
    let table: [UInt8] =
      Array("SEFH".utf8) + little(107) + little(1) + [0, 0, 0x90, 0x08] + little(data.count)
      + little(data.count)
    return data + table + little(table.count) + "SEFT".utf8
  }

  /// A sidecar of an iPhone 6 Plus (rae.tnir.org/archives/tag/aae): 1/8 speed from 268/600 s, for 737/600 s.
  public static let sidecar = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
        <key>adjustmentBaseVersion</key>
        <integer>0</integer>
        <key>adjustmentData</key>
        <data>
        YnBsaXN0MDDRAQJac2xvd01vdGlvbtIDBAUXV3JlZ2lvbnNUcmF0ZaEG0QcIWXRpbWVS
        YW5nZdIJCgsUVXN0YXJ0WGR1cmF0aW9u1AwNDg8QERITVWZsYWdzVXZhbHVlWXRpbWVz
        Y2FsZVVlcG9jaBABEQEMEQJYEADUDA0ODxUWEhMQAxEC4SI+AAAACAsWGyMoKi03PEJL
        VFpganBydXh6g4WIAAAAAAAAAQEAAAAAAAAAGAAAAAAAAAAAAAAAAAAAAI0=
        </data>
        <key>adjustmentEditorBundleID</key>
        <string>com.apple.camera</string>
        <key>adjustmentFormatIdentifier</key>
        <string>com.apple.video.slomo</string>
        <key>adjustmentFormatVersion</key>
        <string>1.1</string>
    </dict>
    </plist>
    """

  /// Adds `box` at the end of the index of the video at `path`. The index must be the last box.
  public static func add(_ box: [UInt8], toIndexOf path: String) throws {
    var video = try Data(contentsOf: URL(filePath: path))
    guard let type = video.range(of: Data("moov".utf8), options: .backwards)?.lowerBound else { return }
    let size = video.count - (type - 4) + box.count
    video.append(contentsOf: box)
    video.replaceSubrange(type - 4..<type, with: number(size))
    try video.write(to: URL(filePath: path))
  }

  /// Appends `bytes` to the video at `path`.
  public static func append(_ bytes: [UInt8], to path: String) throws {
    let video = try Data(contentsOf: URL(filePath: path))
    try (video + bytes).write(to: URL(filePath: path))
  }

  private static func number(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func little(_ value: Int) -> [UInt8] { number(value).reversed() }
}
