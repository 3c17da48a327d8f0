import Foundation
import Overcrank

/// A file that leads the desktop's browser to a studio.
///
/// The address itself would be seen by everybody on this machine in the list of programs, and with it the secret that
/// it ends in. The file is this user's alone.
struct StudioPage {
  private let path: FilePath

  /// Has the desktop open `address`; `nil` where there is no desktop, or no place for the file.
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
    // What stands there is another's: it is neither written to nor followed.
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
