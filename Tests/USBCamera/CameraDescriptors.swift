/// The numbers of the camera's interfaces and units.
enum Layout {
  /// The interface of the controls, and that of the frames.
  static let (controlInterface, streamInterface): (UInt8, UInt8) = (0, 1)
  /// The sensor, the unit that processes its pictures, and the output to USB.
  static let (cameraTerminal, processingUnit, outputTerminal): (UInt8, UInt8, UInt8) = (1, 2, 3)
  /// The endpoint of the frames, an isochronous one: bit 7 is for "in".
  static let streamEndpoint: UInt8 = 0x81
  /// Three packets of 1024 bytes in a microframe, the most in USB 2 (USB 2.0, 9.6.6: bits 12 and 11 count
  /// those after the first).
  static let packetSize: UInt16 = 1024 | 2 << 11
  /// Those packets' bytes.
  static let payloadSize: UInt32 = 3 * 1024
}

/// The descriptors of a camera: USB 2.0, 9.6, and "USB Device Class Definition for Video Devices" 1.1, chapter 3.
struct CameraDescriptors {
  private let model: CameraModel

  init(of model: CameraModel) { self.model = model }

  /// The descriptor of `kind`; `nil` if the camera has none.
  func descriptor(_ kind: UInt8, index: UInt8) -> [UInt8]? {
    switch (kind, index) {
    case (1, _): device
    case (2, 0): configuration
    case (3, 0): [4, 3, 0x09, 0x04]  // The languages: English (United States).
    case (3, 1): string("Overcrank")
    case (3, 2): string(model.name)
    default: nil
    }
  }

  private var device: [UInt8] {
    var bytes: [UInt8] = [18, 1]
    bytes.append(little: model.usbVersion)
    bytes += [0xef, 2, 1, 64]  // Interfaces are grouped by an association; 64 bytes in a control packet.
    bytes.append(little: UInt16(0x1d6b))  // The Linux Foundation, for
    bytes.append(little: UInt16(0x0102))  // its webcam gadget.
    bytes += [0, 1, 1, 2, 0, 1]  // Release 1.0, maker and product by strings 1 and 2, no serial number.
    return bytes
  }

  private func string(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = [UInt8(2 + 2 * text.utf16.count), 3]
    for unit in text.utf16 { bytes.append(little: unit) }
    return bytes
  }

  private var configuration: [UInt8] {
    let body = association + control + streaming
    var bytes: [UInt8] = [9, 2]
    bytes.append(little: UInt16(9 + body.count))
    return bytes + [2, 1, 0, 0x80, 250] + body
  }

  private var association: [UInt8] { [8, 11, Layout.controlInterface, 2, 0x0e, 3, 0, 0] }

  private var control: [UInt8] {
    var camera: [UInt8] = [18, 0x24, 2, Layout.cameraTerminal, 0x01, 0x02, 0, 0, 0, 0, 0, 0, 0, 0, 3]
    camera += [0x0e, 0, 0]  // Exposure mode, exposure priority, exposure time.
    var processing: [UInt8] = [12, 0x24, 5, Layout.processingUnit, Layout.cameraTerminal, 0, 0, 2]
    processing += [0x01, 0x06, 0, 0]  // Brightness, gain, power-line frequency.
    let output: [UInt8] = [
      9, 0x24, 3, Layout.outputTerminal, 0x01, 0x01, 0, Layout.processingUnit, 0,
    ]
    let units = camera + processing + output
    var header: [UInt8] = [13, 0x24, 1, 0x10, 0x01]
    header.append(little: UInt16(13 + units.count))
    header.append(little: UInt32(48_000_000))
    header += [1, Layout.streamInterface]
    return [9, 4, Layout.controlInterface, 0, 0, 0x0e, 1, 0, 0] + header + units
  }

  private var streaming: [UInt8] {
    let formats = model.formats.enumerated().flatMap { description(of: $1, index: UInt8($0 + 1)) }
    let headerSize = 13 + model.formats.count
    var header: [UInt8] = [UInt8(headerSize), 0x24, 1, UInt8(model.formats.count)]
    header.append(little: UInt16(headerSize + formats.count))
    header += [Layout.streamEndpoint, 0, Layout.outputTerminal, 0, 0, 0, 1]
    header += [UInt8](repeating: 0, count: model.formats.count)
    // Without frames the stream takes no bandwidth; in the alternate setting it takes all.
    var endpoint: [UInt8] = [7, 5, Layout.streamEndpoint, 5]
    endpoint.append(little: Layout.packetSize)
    endpoint.append(1)
    return [9, 4, Layout.streamInterface, 0, 0, 0x0e, 2, 0, 0] + header + formats
      + [9, 4, Layout.streamInterface, 1, 1, 0x0e, 2, 0, 0] + endpoint
  }

  private func description(of format: CameraModel.Format, index: UInt8) -> [UInt8] {
    let count = UInt8(format.sizes.count)
    let isCompressed = format.pixelFormat == .mjpeg
    var bytes: [UInt8]
    if isCompressed {
      bytes = [11, 0x24, 6, index, count, 1, 1, 0, 0, 0, 0]
    } else {
      // YUY2, the name that Windows has for YUYV, and an ending that all raw formats share.
      bytes = [27, 0x24, 4, index, count]
      bytes += "YUY2".utf8
      bytes += [0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71]
      bytes += [16, 1, 0, 0, 0, 0]
    }
    for (place, size) in format.sizes.enumerated() {
      bytes += [UInt8(26 + 4 * size.intervals.count), 0x24, isCompressed ? 7 : 5, UInt8(place + 1), 0]
      bytes.append(little: size.width)
      bytes.append(little: size.height)
      bytes.append(little: UInt32(1_000_000))
      bytes.append(little: UInt32(100_000_000))
      bytes.append(little: size.largestFrame)
      bytes.append(little: size.intervals.last ?? 0)
      bytes.append(UInt8(size.intervals.count))
      for interval in size.intervals { bytes.append(little: interval) }
    }
    return bytes + [6, 0x24, 0x0d, 1, 1, 4]  // Colours of sRGB, with the matrix of BT.601.
  }
}

extension CameraModel.Size {
  /// The size of the largest frame in any format, in bytes.
  var largestFrame: UInt32 { UInt32(width) * UInt32(height) * 2 }
}
