import Foundation
import Timebase

/// A pedal made of software, by the kernel's uinput. It has the keys A and B.
final class SoftwarePedal {
  static let name = "Overcrank Test Pedal"
  /// The numbers of its keys in the kernel's list.
  static let (keyA, keyB) = (30, 48)

  private let process = Process()
  private let (requests, answers) = (Pipe(), Pipe())
  private var answered = Data()

  /// A step that failed.
  struct Failure: Error { var description: String }

  /// Makes the device, and another reader of its events, which has the kernel's stamps.
  private static let program = """
    import fcntl, glob, os, struct, sys
    EVENT = "llHHi"
    def plug():
        device = os.open("/dev/uinput", os.O_WRONLY)
        fcntl.ioctl(device, 0x40045564, 1)  # UI_SET_EVBIT, EV_KEY
        for key in (\(keyA), \(keyB)):
            fcntl.ioctl(device, 0x40045565, key)  # UI_SET_KEYBIT
        fcntl.ioctl(device, 0x405C5503, struct.pack("4H80sI", 3, 1, 1, 1, b"\(name)", 0))  # UI_DEV_SETUP
        fcntl.ioctl(device, 0x5501)  # UI_DEV_CREATE
        folder = fcntl.ioctl(device, 0x8040552C, bytes(64)).rstrip(b"\\0").decode()  # UI_GET_SYSNAME
        node = os.path.basename(glob.glob(f"/sys/devices/virtual/input/{folder}/event*")[0])
        reader = os.open(f"/dev/input/{node}", os.O_RDONLY)
        fcntl.ioctl(reader, 0x400445A0, struct.pack("i", 1))  # EVIOCSCLOCKID, CLOCK_MONOTONIC
        return device, reader
    def stamp(key, value):
        end = struct.pack(EVENT, 0, 0, 0, 0, 0)
        os.write(device, struct.pack(EVENT, 0, 0, 1, key, value) + end)
        while True:
            seconds, microseconds, *event = struct.unpack(EVENT, os.read(reader, struct.calcsize(EVENT)))
            if event == [1, key, value]:
                return seconds * 1000000 + microseconds
    device, reader = plug()
    print("plugged", flush=True)
    for line in sys.stdin:
        if line == "plug\\n":
            os.close(device)
            os.close(reader)
            device, reader = plug()
            print("plugged", flush=True)
        else:
            print(stamp(*map(int, line.split())), flush=True)
    """

  /// Makes the pedal. It is gone when this object is.
  init() throws {
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "modprobe -a evdev uinput && exec python3 -c \"$0\"", Self.program]
    process.standardInput = requests
    process.standardOutput = answers
    try process.run()
    try expectPlugged()
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
  }

  /// Unplugs it, and plugs it in again.
  func replug() throws {
    try requests.fileHandleForWriting.write(contentsOf: Data("plug\n".utf8))
    try expectPlugged()
  }

  /// Presses a key and lets it go. Returns the kernel's stamp on the press.
  func press(_ key: Int) throws -> Instant {
    let time = try send(key, 1)
    _ = try send(key, 0)
    return time
  }

  /// Presses a key, holds it until it repeats, and lets it go. Returns the kernel's stamp on the press.
  func hold(_ key: Int) throws -> Instant {
    let time = try send(key, 1)
    _ = try send(key, 2)
    _ = try send(key, 0)
    return time
  }

  private func send(_ key: Int, _ value: Int) throws -> Instant {
    try requests.fileHandleForWriting.write(contentsOf: Data("\(key) \(value)\n".utf8))
    let answer = try line()
    guard let microseconds = Int64(answer) else { throw Failure(description: answer) }
    return Instant(nanoseconds: microseconds * 1000)
  }

  private func expectPlugged() throws {
    let answer = try line()
    guard answer == "plugged" else { throw Failure(description: answer) }
  }

  private func line() throws -> String {
    while true {
      if let end = answered.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: answered[..<end], as: UTF8.self)
        answered = Data(answered[answered.index(after: end)...])
        return line
      }
      let more = answers.fileHandleForReading.availableData
      guard !more.isEmpty else { throw Failure(description: "the pedal's program has ended") }
      answered += more
    }
  }
}
