import CV4L2
public import SystemPackage

/// The events that a device is to report; V4L2's `struct v4l2_event_subscription`.
public struct EventSubscription: Hashable, Sendable {
  /// The kind of event.
  public let kind: EventKind
  /// The control's id, or the input's number; 0 for other kinds.
  public let id: UInt32
  private let flags: UInt32

  /// Creates a subscription to events of `kind`, of the control or input with the number `id`.
  public init(kind: EventKind, id: UInt32 = 0) { self.init(kind: kind, id: id, flags: 0) }

  private init(kind: EventKind, id: UInt32, flags: Int32) {
    self.kind = kind
    self.id = id
    self.flags = UInt32(bitPattern: flags)
  }

  /// Returns a subscription to changes of the control `id`.
  ///
  /// - Parameters:
  ///   - id: the control's `V4L2_CID_*`.
  ///   - sendsInitial: sends an event at once, with the control's present value.
  ///   - allowsFeedback: also sends events for changes that are made through the same open device.
  public static func control(
    _ id: UInt32, sendsInitial: Bool = false, allowsFeedback: Bool = false
  ) -> EventSubscription {
    EventSubscription(
      kind: .control, id: id,
      flags: (sendsInitial ? V4L2_EVENT_SUB_FL_SEND_INITIAL : 0)
        | (allowsFeedback ? V4L2_EVENT_SUB_FL_ALLOW_FEEDBACK : 0))
  }

  /// Returns a subscription to changes of the signal at the input with the number `input`.
  public static func sourceChange(ofInput input: UInt32) -> EventSubscription {
    EventSubscription(kind: .sourceChange, id: input)
  }

  /// The end of a stream.
  public static let endOfStream = EventSubscription(kind: .endOfStream)

  fileprivate var raw: v4l2_event_subscription {
    var raw = v4l2_event_subscription()
    raw.type = kind.rawValue
    raw.id = id
    raw.flags = flags
    return raw
  }
}

extension Device {
  /// Subscribes to the events in `subscription`, until the device is closed or they are unsubscribed.
  ///
  /// The kernel keeps few events of each kind; if more arrive, the oldest are lost.
  ///
  /// The corresponding ioctl is `VIDIOC_SUBSCRIBE_EVENT`.
  /// - Throws: ``V4L2Error``; `unsupported` if the driver does not report such events, or has no such
  ///   control.
  public borrowing func subscribe(to subscription: EventSubscription) throws(V4L2Error) {
    try node.subscribe(to: subscription)
  }

  /// Unsubscribes from the events in `subscription`; pending ones are dropped.
  ///
  /// The corresponding ioctl is `VIDIOC_UNSUBSCRIBE_EVENT`.
  /// - Throws: ``V4L2Error``; `unsupported` if the driver has no events at all.
  public borrowing func unsubscribe(from subscription: EventSubscription) throws(V4L2Error) {
    var raw = subscription.raw
    try check(cv4l2_unsubscribe_event(descriptor.rawValue, &raw), "VIDIOC_UNSUBSCRIBE_EVENT", on: path)
  }

  /// Unsubscribes from all events; pending ones are dropped.
  ///
  /// The corresponding ioctl is `VIDIOC_UNSUBSCRIBE_EVENT` with `V4L2_EVENT_ALL`.
  /// - Throws: ``V4L2Error``; `unsupported` if the driver has no events at all.
  public borrowing func unsubscribeFromAll() throws(V4L2Error) {
    try unsubscribe(from: EventSubscription(kind: EventKind(rawValue: UInt32(V4L2_EVENT_ALL))))
  }

  /// Returns the oldest pending event, without waiting for one; `nil` if there is none.
  ///
  /// For callers that wait on ``fileDescriptor`` themselves. The corresponding ioctl is `VIDIOC_DQEVENT`.
  /// - Throws: ``V4L2Error``; `unsupported` if the driver has no events at all.
  public borrowing func nextEvent() throws(V4L2Error) -> Event? { try node.nextEvent() }

  /// Returns the oldest pending event after waiting at most `timeout` for one; `nil` if none came.
  ///
  /// Without a timeout it waits for ever; a signal ends the wait early. The corresponding calls are `poll(2)`
  /// for `POLLPRI` and `VIDIOC_DQEVENT`.
  /// - Throws: ``V4L2Error``; `unsupported` if the driver has no events at all.
  public borrowing func nextEvent(within timeout: Duration?) throws(V4L2Error) -> Event? {
    var events: Int16 = 0
    let ready = cv4l2_poll(descriptor.rawValue, Int16(POLLPRI), timeout?.pollMilliseconds ?? -1, &events)
    if ready == 0 || ready == -EINTR { return nil }
    try check(ready, "poll", on: path)
    return try nextEvent()
  }
}

/// Events of sub-devices, like those of devices.
extension Subdevice {
  /// Subscribes to the events in `subscription`, until the sub-device is closed.
  ///
  /// The corresponding ioctl is `VIDIOC_SUBSCRIBE_EVENT`.
  /// - Throws: ``V4L2Error``; `unsupported` if the driver does not report such events, or has no such
  ///   control.
  public borrowing func subscribe(to subscription: EventSubscription) throws(V4L2Error) {
    try node.subscribe(to: subscription)
  }

  /// Returns the oldest pending event, without waiting for one; `nil` if there is none.
  ///
  /// The corresponding ioctl is `VIDIOC_DQEVENT`.
  /// - Throws: ``V4L2Error``; `unsupported` if the driver has no events at all.
  public borrowing func nextEvent() throws(V4L2Error) -> Event? { try node.nextEvent() }
}

extension OpenNode {
  fileprivate func subscribe(to subscription: EventSubscription) throws(V4L2Error) {
    var raw = subscription.raw
    try check(cv4l2_subscribe_event(descriptor, &raw), "VIDIOC_SUBSCRIBE_EVENT", on: path)
  }

  fileprivate func nextEvent() throws(V4L2Error) -> Event? {
    var raw = v4l2_event()
    let result = cv4l2_dqevent(descriptor, &raw)
    if result == -ENOENT { return nil }
    try check(result, "VIDIOC_DQEVENT", on: path)
    return Event(raw)
  }
}

extension Event {
  /// Waits at most `timeout` until one of several devices has an event, or was unplugged, and returns its
  /// index in `descriptors`; `nil` if none had. A signal ends the wait early.
  ///
  /// The corresponding call is `poll(2)` for `POLLPRI`.
  public static func firstSource(among descriptors: [FileDescriptor], within timeout: Duration) -> Int? {
    var entries = descriptors.map { pollfd(fd: $0.rawValue, events: Int16(POLLPRI), revents: 0) }
    guard poll(&entries, nfds_t(entries.count), timeout.pollMilliseconds) > 0 else { return nil }
    return entries.firstIndex { $0.revents != 0 }
  }
}
