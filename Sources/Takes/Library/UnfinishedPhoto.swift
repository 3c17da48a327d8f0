import Media
package import Platform
import SystemPackage

/// The files of a photo that was cut off while it was made, or is still being made.
///
/// An output that is killed leaves `NAME.part`. A Motion Photo or Live Photo also has a hidden video while it is made,
/// and a Live Photo the part of its own video.
enum UnfinishedPhoto {
  /// Returns the unfinished photos with files of these names, each as one item.
  ///
  /// A part by another program, such as that of a download, is left out if its content or the lack of our
  /// mark tells.
  static func entries(_ names: [String], in folder: FilePath) -> [LibraryEntry] {
    let parts = names.filter { $0.hasSuffix(".part") || isHiddenVideo($0) }
    guard !parts.isEmpty else { return [] }
    let (known, all) = (Set(parts), Set(names))
    var pictures: Set<String> = []
    var entries: [LibraryEntry] = []
    for name in parts where isPicture(folder.appending(name)) {
      let stem = FilePath(name).withoutExtension.stem ?? ""
      pictures.insert(stem)
      // The part of a video called like a take is that of its clip.
      let video = all.contains(stem + TakeFiles.takeSuffix) ? [] : ["\(stem).mov.part"]
      let others = video + videos(of: stem)
      entries.append(
        LibraryEntry(
          ofPhoto: folder.appending(name),
          others.filter(known.contains).map { folder.appending($0) }.filter { !$0.isForeignOutput }))
    }
    for name in parts where name.hasSuffix(".part") {
      guard let match = name.wholeMatch(of: hiddenVideo), !pictures.contains(String(match.output.1)),
        !folder.appending(name).isForeignOutput
      else { continue }
      entries.append(LibraryEntry(ofPhoto: folder.appending(name), []))
    }
    return entries
  }

  /// Returns the unfinished photo that the file at `path` belongs to; `nil` if there is none.
  static func entry(at path: FilePath) -> LibraryEntry? {
    guard path.exists, path.extension == "part" || isHiddenVideo(path.name) else { return nil }
    return entries((try? path.folder.entryNames()) ?? [], in: path.removingLastComponent())
      .first { $0.files.contains(path) }
  }

  /// The name of the video while the photo is made, as `MotionPhoto` gives it.
  private static var hiddenVideo: Regex<(Substring, Substring)> { /\.(.+)\.film\.(?:mp4|mov)(?:\.part)?/ }

  private static func isHiddenVideo(_ name: String) -> Bool {
    name.hasPrefix(".") && name.wholeMatch(of: hiddenVideo) != nil
  }

  private static func videos(of stem: String) -> [String] {
    ["mp4", "mov"].flatMap { [".\(stem).film.\($0)", ".\(stem).film.\($0).part"] }
  }

  /// Returns whether the file at `path` is the part of a picture by this program, or one that does not tell its maker
  /// yet.
  private static func isPicture(_ path: FilePath) -> Bool {
    guard path.extension == "part",
      let format = path.withoutExtension.extension.flatMap(StillFormat.init(fileExtension:)),
      (try? Stat(path, followTargetSymlink: false))?.type == .regular
    else { return false }
    guard let file = try? InputFile(path) else { return !path.isForeignOutput }
    if let software = PhotoTags(of: file, as: format)?.software { return software.hasPrefix("Overcrank ") }
    return !path.isForeignOutput && format.isCutOffBeforeTags(file)
  }
}

extension LibraryEntry {
  /// Returns whether the file at `path` is the part of a take file or group file; another program's is not.
  static func isUnfinishedFile(_ path: FilePath) -> Bool {
    guard path.extension == "part" else { return false }
    let whole = path.withoutExtension.name
    return (TakeFiles.isTake(whole) || TakeGroup.isFile(whole)) && !path.isForeignOutput
  }

  /// Removes the files of an unfinished photo.
  ///
  /// - Throws: `OvercrankError` with `busy` if it is being made, and if a file cannot be removed.
  package func removeUnfinishedPhoto() throws(OvercrankError) {
    // Its lock is held until the last file is gone.
    let part = try AbandonedPart(of: path.withoutExtension)
    for file in files { try file.checkMayBeRemoved() }
    for file in files where file != path {
      if file.extension == "part" {
        try AbandonedPart(of: file.withoutExtension).remove()
      } else {
        try file.removeFile()
      }
    }
    try part.remove()
  }
}
