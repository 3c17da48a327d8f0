import SystemPackage

/// The values that calls on an open node need: a view of a ``Device`` or ``Subdevice``, which closes it.
///
/// Unlike the device it can be copied, so that a list can hold it.
struct OpenNode: Sendable {
  let descriptor: CInt
  let path: FilePath
  /// The buffer type of the node's capture calls; 0 for a sub-device, which has none.
  let captureType: UInt32
}

extension Device {
  var node: OpenNode {
    OpenNode(descriptor: descriptor.rawValue, path: path, captureType: captureType)
  }
}
