import Foundation
import Overcrank

/// A file that leads the desktop's browser to a studio.
///
/// On a command line, the address and the secret at its end would be visible to all users of this machine.
/// The file is readable by this user only.
struct StudioPage {
  private let path: FilePath

  /// Makes the desktop open `address`; `nil` if there is no desktop, or no place for the file.
  init?(_ address: String) {
    let environment = ProcessInfo.processInfo.environment
    let isDesktop = ["DISPLAY", "WAYLAND_DISPLAY"].contains { !(environment[$0] ?? "").isEmpty }
    guard isDesktop, let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") else { return nil }
    path = FilePath(folder).appending("overcrank-studio-\(getpid()).html")
    let page = """
      <!doctype html>
      <meta charset="utf-8">
      <meta http-equiv="refresh" content="0; url=\(address)">
      <title>Overcrank</title>
      <a href="\(address)">Open the studio</a>
      """
    // An existing file belongs to another program: it is neither written to nor followed.
    path.unlink()
    guard
      let descriptor = try? FileDescriptor.open(
        path, .writeOnly, options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
        permissions: .ownerReadWrite)
    else { return nil }
    defer { try? descriptor.close() }
    guard (try? descriptor.writeAll(Array(page.utf8))) != nil else { return nil }
    let path = path
    // xdg-open may wait for the browser.
    Thread.detachNewThread {
      do throws(OvercrankError) { try DesktopOpener.open(path) } catch {
        Console.remark("No browser was opened. Open the address yourself.")
      }
    }
  }

  /// Removes the file.
  func remove() { path.unlink() }
}
