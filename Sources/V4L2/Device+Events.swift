import CV4L2
public import SystemPackage

/// Which events a device is to tell of; V4L2's `struct v4l2_event_subscription`.
public struct EventSubscription: Hashable, Sendable {
  /// The kind of event.
  public let kind: EventKind
  /// The control's id, or the input's number; 0 for other kinds.
  public let id: UInt32
  private let flags: UInt32

  /// Events of `kind`, of the thing with the number `id`.
  public init(kind: EventKind, id: UInt32 = 0) { self.init(kind: kind, id: id, flags: 0) }

  private init(kind: EventKind, id: UInt32, flags: Int32) {
    self.kind = kind
    self.id = id
    self.flags = UInt32(bitPattern: flags)
  }

  /// Changes of the control `id`.
  ///
  /// - Parameters:
  ///   - id: the control's `V4L2_CID_*`.
  ///   - sendsInitial: sends an event at once, which tells how the control stands.
  ///   - allowsFeedback: sends events also for changes that are made through the same open device.
  public static func control(
    _ id: UInt32, sendsInitial: Bool = false, allowsFeedback: Bool = false
  ) -> EventSubscription {
    EventSubscription(
      kind: .control, id: id,
      flags: (sendsInitial ? V4L2_EVENT_SUB_FL_SEND_INITIAL : 0)
        | (allowsFeedback ? V4L2_EVENT_SUB_FL_ALLOW_FEEDBACK : 0))
  }

  /// Changes of the signal at the input with the number `input`.
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
  /// Has the device tell of the events in `subscription`, until it is closed or they are
  /// unsubscribed.
  ///
  /// The kernel keeps few events of each kind; when more come, the oldest are lost.
  ///
  /// The corresponding ioctl is `VIDIOC_SUBSCRIBE_EVENT`.
  /// - Throws: ``V4L2Error``; `unsupported` where the driver does not tell of such events, or has
  ///   no such control.
  public borrowing func subscribe(to subscription: EventSubscription) throws(V4L2Error) {
    try node.subscribe(to: subscription)
  }

  /// Has the device no longer tell of the events in `subscription`; those that are waiting are
  /// dropped.
  ///
  /// The corresponding ioctl is `VIDIOC_UNSUBSCRIBE_EVENT`.
  /// - Throws: ``V4L2Error``; `unsupported` where the driver has no events at all.
  public borrowing func unsubscribe(from subscription: EventSubscription) throws(V4L2Error) {
    var raw = subscription.raw
    try check(cv4l2_unsubscribe_event(descriptor.rawValue, &raw), "VIDIOC_UNSUBSCRIBE_EVENT", on: path)
  }

  /// Has the device tell of no event any more; those that are waiting are dropped.
  ///
  /// The corresponding ioctl is `VIDIOC_UNSUBSCRIBE_EVENT` with `V4L2_EVENT_ALL`.
  /// - Throws: ``V4L2Error``; `unsupported` where the driver has no events at all.
  public borrowing func unsubscribeFromAll() throws(V4L2Error) {
    try unsubscribe(from: EventSubscription(kind: EventKind(rawValue: UInt32(V4L2_EVENT_ALL))))
  }

  /// Takes the oldest event that is waiting, without waiting for one; `nil` where there is none.
  ///
  /// For callers that wait on ``fileDescriptor`` themselves. The corresponding ioctl is
  /// `VIDIOC_DQEVENT`.
  /// - Throws: ``V4L2Error``; `unsupported` where the driver has no events at all.
  public borrowing func nextEvent() throws(V4L2Error) -> Event? { try node.nextEvent() }

  /// Takes the oldest event, and waits at most `timeout` for it; `nil` where none came.
  ///
  /// Without a timeout it waits for ever; a signal ends the wait early. The corresponding calls are
  /// `poll(2)` for `POLLPRI` and `VIDIOC_DQEVENT`.
  /// - Throws: ``V4L2Error``; `unsupported` where the driver has no events at all.
  public borrowing func nextEvent(within timeout: Duration?) throws(V4L2Error) -> Event? {
    var events: Int16 = 0
    let ready = cv4l2_poll(descriptor.rawValue, Int16(POLLPRI), timeout?.pollMilliseconds ?? -1, &events)
    if ready == 0 || ready == -EINTR { return nil }
    try check(ready, "poll", on: path)
    return try nextEvent()
  }
}

/// What sub-devices tell of, as devices do.
extension Subdevice {
  /// Has the sub-device tell of the events in `subscription`, until it is closed.
  ///
  /// The corresponding ioctl is `VIDIOC_SUBSCRIBE_EVENT`.
  /// - Throws: ``V4L2Error``; `unsupported` where the driver does not tell of such events, or has
  ///   no such control.
  public borrowing func subscribe(to subscription: EventSubscription) throws(V4L2Error) {
    try node.subscribe(to: subscription)
  }

  /// Takes the oldest event that is waiting, without waiting for one; `nil` where there is none.
  ///
  /// The corresponding ioctl is `VIDIOC_DQEVENT`.
  /// - Throws: ``V4L2Error``; `unsupported` where the driver has no events at all.
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
  /// Waits at most `timeout` until one of several devices has an event, or has gone; its place in
  /// `descriptors`, `nil` where none came. A signal ends the wait early.
  ///
  /// The corresponding call is `poll(2)` for `POLLPRI`.
  public static func firstSource(among descriptors: [FileDescriptor], within timeout: Duration) -> Int? {
    var entries = descriptors.map { pollfd(fd: $0.rawValue, events: Int16(POLLPRI), revents: 0) }
    guard poll(&entries, nfds_t(entries.count), timeout.pollMilliseconds) > 0 else { return nil }
    return entries.firstIndex { $0.revents != 0 }
  }
}
