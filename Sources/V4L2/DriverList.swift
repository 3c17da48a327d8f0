/// A list that a driver gives one entry at a time, each with a system call of its own.
///
/// Not a `Sequence`, since a driver may fail in the middle, which is an error and no end:
///
/// ```swift
/// var sizes = device.frameSizes(of: .mjpeg)
/// while let size = try sizes.next() { print(size) }
/// ```
///
/// Nothing promises that a driver's list ends. Stop after as many entries as are believable, or
/// take them by ``collect(limit:)``. A list cannot outlive its device.
public struct DriverList<Entry>: ~Copyable, ~Escapable {
  private let read: () throws(V4L2Error) -> Entry?
  private let isWhole: (Entry) -> Bool
  private var hasEnded = false

  /// The list of `device` that `read` gives, whose entry is the whole list where `isWhole` says so.
  @_lifetime(borrow device)
  init(
    of device: borrowing Device, isWhole: @escaping (Entry) -> Bool = { _ in false },
    _ read: @escaping () throws(V4L2Error) -> Entry?
  ) {
    self.read = read
    self.isWhole = isWhole
  }

  /// The list of `device` that `entry` gives by index, from 0.
  @_lifetime(borrow device)
  init(
    of device: borrowing Device, isWhole: @escaping (Entry) -> Bool = { _ in false },
    byIndex entry: @escaping (UInt32) throws(V4L2Error) -> Entry?
  ) {
    var next: UInt32? = 0
    self.init(of: device, isWhole: isWhole) { () throws(V4L2Error) in
      guard let index = next else { return nil }
      next = index == .max ? nil : index + 1
      return try entry(index)
    }
  }

  /// The next entry; `nil` where the list has ended.
  ///
  /// - Throws: ``V4L2Error`` where the driver failed rather than ended the list; the list has then
  ///   ended too.
  public mutating func next() throws(V4L2Error) -> Entry? {
    guard !hasEnded else { return nil }
    hasEnded = true
    guard let entry = try read() else { return nil }
    hasEnded = isWhole(entry)
    return entry
  }

  /// The entries that are left, at most `limit` of them.
  ///
  /// - Throws: ``V4L2Error`` where the driver failed rather than ended the list.
  public consuming func collect(limit: Int = 1024) throws(V4L2Error) -> [Entry] {
    var found: [Entry] = []
    while found.count < limit, let entry = try next() { found.append(entry) }
    return found
  }

  /// The entries up to the first that the driver fails at, at most `limit` of them: for lists that
  /// are of use in part.
  ///
  /// - Parameters:
  ///   - limit: the most entries that are taken.
  ///   - failure: is set to why the list was cut off; stays as it is where it was not.
  public consuming func collect(limit: Int = 1024, upToFailure failure: inout V4L2Error?) -> [Entry] {
    var found: [Entry] = []
    do throws(V4L2Error) {
      while found.count < limit, let entry = try next() { found.append(entry) }
    } catch {
      failure = error
    }
    return found
  }
}
