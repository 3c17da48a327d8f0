import Foundation

/// The result of playing a video in headless Chromium's `<video>` element.
public struct ChromiumPlayback: Decodable, Sendable {
  /// `ended`, or what went wrong.
  public let outcome: String
  /// The duration that Chromium reports, in seconds.
  public let duration: Double
  /// The position at which it stopped, in seconds.
  public let position: Double
  /// Pixels in a row, as shown.
  public let width: Int
  /// Rows, as shown.
  public let height: Int
  /// Frames that were decoded, shown or not.
  public let frames: Int
  /// Bytes of coded audio that were decoded.
  public let audioBytes: Int

  /// Chromium prints the page once it has finished loading. A document within it stays open until the video
  /// has ended.
  private static let page = """
    <!doctype html><meta charset="utf-8"><body><script>
    const frame = document.body.appendChild(document.createElement("iframe"));
    frame.contentDocument.open();
    const video = document.body.appendChild(document.createElement("video"));
    function done(outcome) {
      document.body.textContent = JSON.stringify({
        outcome, duration: video.duration || 0, position: video.currentTime, width: video.videoWidth,
        height: video.videoHeight, frames: video.getVideoPlaybackQuality().totalVideoFrames,
        audioBytes: video.webkitAudioDecodedByteCount });
    }
    video.muted = true;
    video.onended = () => done("ended");
    video.onerror = () => done(video.error.message);
    video.src = "film";
    video.play().catch(error => done(error.message));
    </script>
    """

  /// Plays the video at `path` in real time.
  public init(_ path: String) throws {
    let folder = try TemporaryFolder()
    let (page, video) = (folder.url.appending(path: "page.html"), URL(filePath: path))
    try Self.page.replacing("\"film\"", with: "\"\(video.absoluteString)\"").write(
      to: page, atomically: true, encoding: .utf8)
    let printed = try Program.run(
      "chromium-headless-shell",
      [
        // Its sandbox needs namespaces that are not available in containers or to root.
        "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--allow-file-access-from-files",
        "--autoplay-policy=no-user-gesture-required", "--user-data-dir=\(folder.path("profile"))",
        "--timeout=60000", "--dump-dom", page.absoluteString,
      ])
    let words = String(decoding: printed.output, as: UTF8.self)
    guard let answer = words.firstMatch(of: /<body>(\{.*\})<\/body>/) else {
      throw Program.Failure(description: "Chromium did not play \(path) to its end: \(words)")
    }
    self = try JSONDecoder().decode(Self.self, from: Data(answer.1.utf8))
  }
}
