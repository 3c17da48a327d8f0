extension VideoNode: Encodable {
  enum CodingKeys: String, CodingKey {
    case node, card, driver, bus, usb, mplane, error
    case byID = "by_id"
    case usbSpeed = "usb_mbps"
    case mayOpen = "may_open"
  }

  /// Writes an entry of the list of cameras; what is unknown is `null`.
  package func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(path.string, forKey: .node)
    try keys.encode(links.map(\.string), forKey: .byID)
    try keys.encode(capabilities?.card, forKey: .card)
    try keys.encode(capabilities?.driver, forKey: .driver)
    try keys.encode(capabilities?.busInfo, forKey: .bus)
    try keys.encode(usb?.vendorProduct, forKey: .usb)
    try keys.encode(usb?.megabitsPerSecond, forKey: .usbSpeed)
    try keys.encode(capabilities?.isMultiplanar, forKey: .mplane)
    try keys.encode(capabilities != nil, forKey: .mayOpen)
    try keys.encode(failure?.description, forKey: .error)
    try mounting.encode(to: encoder)
  }
}
