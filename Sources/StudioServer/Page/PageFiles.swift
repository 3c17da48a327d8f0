/// The files of the page, which are part of the program.
struct PageFile: Sendable {
  /// The path at which it is served.
  let path: String
  let type: String
  let bytes: [UInt8]
  /// The entity tag, which changes whenever the bytes do.
  let tag: String

  init(_ path: String, _ type: String, _ bytes: [UInt8]) {
    (self.path, self.type, self.bytes) = (path, type, bytes)
    // FNV-1a suffices: the tag only has to differ between versions of the program.
    let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    tag = "\"\(String(hash, radix: 16))\""
  }

  private static let html = "text/html; charset=utf-8"
  private static let css = "text/css; charset=utf-8"
  private static let script = "text/javascript; charset=utf-8"

  /// All files of the page, which `Package.swift` lists too.
  static let all: [PageFile] = [
    PageFile("/", html, PackageResources.index_html),
    PageFile("/style.css", css, PackageResources.style_css),
    PageFile("/studio.webmanifest", "application/manifest+json", PackageResources.studio_webmanifest),
    PageFile("/icon.svg", "image/svg+xml", PackageResources.icon_svg),
    PageFile("/icon192.png", "image/png", PackageResources.icon192_png),
    PageFile("/icon512.png", "image/png", PackageResources.icon512_png),
    PageFile("/actions.js", script, PackageResources.actions_js),
    PageFile("/api.js", script, PackageResources.api_js),
    PageFile("/camera.js", script, PackageResources.camera_js),
    PageFile("/cameras.js", script, PackageResources.cameras_js),
    PageFile("/camerazoom.js", script, PackageResources.camerazoom_js),
    PageFile("/cliplength.js", script, PackageResources.cliplength_js),
    PageFile("/cliplook.js", script, PackageResources.cliplook_js),
    PageFile("/clipoptions.js", script, PackageResources.clipoptions_js),
    PageFile("/clips.js", script, PackageResources.clips_js),
    PageFile("/compare.js", script, PackageResources.compare_js),
    PageFile("/controls.js", script, PackageResources.controls_js),
    PageFile("/curve.js", script, PackageResources.curve_js),
    PageFile("/dom.js", script, PackageResources.dom_js),
    PageFile("/download.js", script, PackageResources.download_js),
    PageFile("/edited.js", script, PackageResources.edited_js),
    PageFile("/filmstrip.js", script, PackageResources.filmstrip_js),
    PageFile("/filter.js", script, PackageResources.filter_js),
    PageFile("/folder.js", script, PackageResources.folder_js),
    PageFile("/format.js", script, PackageResources.format_js),
    PageFile("/frames.js", script, PackageResources.frames_js),
    PageFile("/fullscreen.js", script, PackageResources.fullscreen_js),
    PageFile("/groups.js", script, PackageResources.groups_js),
    PageFile("/grouppicture.js", script, PackageResources.grouppicture_js),
    PageFile("/grouptime.js", script, PackageResources.grouptime_js),
    PageFile("/groupview.js", script, PackageResources.groupview_js),
    PageFile("/items.js", script, PackageResources.items_js),
    PageFile("/keys.js", script, PackageResources.keys_js),
    PageFile("/last.js", script, PackageResources.last_js),
    PageFile("/layout.js", script, PackageResources.layout_js),
    PageFile("/library.js", script, PackageResources.library_js),
    PageFile("/live.js", script, PackageResources.live_js),
    PageFile("/losses.js", script, PackageResources.losses_js),
    PageFile("/made.js", script, PackageResources.made_js),
    PageFile("/main.js", script, PackageResources.main_js),
    PageFile("/marks.js", script, PackageResources.marks_js),
    PageFile("/mp4.js", script, PackageResources.mp4_js),
    PageFile("/notices.js", script, PackageResources.notices_js),
    PageFile("/overlays.js", script, PackageResources.overlays_js),
    PageFile("/phone.js", script, PackageResources.phone_js),
    PageFile("/picture.js", script, PackageResources.picture_js),
    PageFile("/place.js", script, PackageResources.place_js),
    PageFile("/record.js", script, PackageResources.record_js),
    PageFile("/review.js", script, PackageResources.review_js),
    PageFile("/selection.js", script, PackageResources.selection_js),
    PageFile("/sender.js", script, PackageResources.sender_js),
    PageFile("/settings.js", script, PackageResources.settings_js),
    PageFile("/setup.js", script, PackageResources.setup_js),
    PageFile("/state.js", script, PackageResources.state_js),
    PageFile("/status.js", script, PackageResources.status_js),
    PageFile("/timeline.js", script, PackageResources.timeline_js),
    PageFile("/told.js", script, PackageResources.told_js),
    PageFile("/trash.js", script, PackageResources.trash_js),
    PageFile("/upload.js", script, PackageResources.upload_js),
    PageFile("/words.js", script, PackageResources.words_js),
    PageFile("/zoom.js", script, PackageResources.zoom_js),
  ]

  /// The route that serves it.
  var route: Route {
    Route(.get, path) { request in
      let fields: [APIError.Field] = [.init("ETag", tag), .init("Cache-Control", "no-cache")]
      let known = request.head.headers[canonicalForm: "if-none-match"].map {
        $0.hasPrefix("W/") ? $0.dropFirst(2) : $0
      }
      guard !known.contains(where: { $0 == tag || $0 == "*" }) else {
        return Response(status: 304, fields: fields)
      }
      return Response(fields: [.init("Content-Type", type)] + fields, body: .bytes(bytes))
    }
  }
}
