internal import CLibAV
import Platform
internal import SystemPackage

/// The libavformat side of an output: the owner of an `AVFormatContext`, and of the `AVIOContext` through
/// which it writes to an ``OutputFile`` or an ``OutputPipe``.
///
/// A class, because libav keeps its address.
final class OutputContext {
  let path: FilePath
  private let format: UnsafeMutablePointer<AVFormatContext>
  private let io: UnsafeMutablePointer<AVIOContext>
  /// The file to write; `nil` for a pipe or nowhere.
  private var file: OutputFile?
  /// The pipe to write to; `nil` for a file or nowhere.
  private let pipe: OutputPipe?
  /// The offset of the next byte, in bytes from the start.
  private var position: Int64 = 0
  /// The size of the file in bytes.
  private(set) var size: Int64 = 0
  private var failure: OvercrankError?
  /// The position at which libav put the bytes of its last packet, if it has written them.
  private(set) var lastPacketPosition: Int64?
  private var packetBytes: UnsafeRawPointer?

  /// The size of the buffer that collects small fields for one write; frames bypass it.
  private static let bufferSize: Int32 = 64 << 10

  /// - Parameters:
  ///   - output: the destination; `nil` for none, to determine only the file's size.
  ///   - path: the path named in errors.
  init(_ output: consuming MuxerOutput?, _ container: Container, path: FilePath) throws(OvercrankError) {
    var file: OutputFile?
    var pipe: OutputPipe?
    switch consume output {
    case .file(let output): file = .some(output)
    case .pipe(let output): pipe = output
    case nil: break
    }
    var format: UnsafeMutablePointer<AVFormatContext>?
    avformat_alloc_output_context2(&format, nil, container.libavName, nil)
    let buffer = av_malloc(Int(Self.bufferSize))
    let io = avio_alloc_context(
      buffer, Self.bufferSize, 1, nil, nil,
      { opaque, bytes, count in
        OutputContext.from(opaque)?.write(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
          ?? clibav_error(EIO)
      },
      { opaque, offset, origin in
        OutputContext.from(opaque)?.seek(to: offset, from: origin) ?? Int64(clibav_error(EIO))
      })
    guard let format, let io else {
      avformat_free_context(format)
      av_free(buffer)
      throw OvercrankError.outOfMemory(path)
    }
    self.path = path
    self.format = format
    self.io = io
    self.file = consume file
    self.pipe = pipe
    format.pointee.pb = io
    // Y4M with more than 8 bits is not part of mjpegtools' format, but the programs that read such pipes
    // support it.
    if container == .y4m { format.pointee.strict_std_compliance = FF_COMPLIANCE_UNOFFICIAL }
    if pipe != nil { io.pointee.seekable = 0 }
    io.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
    // A frame is passed on without a copy to the buffer, in one write.
    io.pointee.direct = AVIO_FLAG_DIRECT
  }

  deinit {
    avformat_free_context(format)
    av_freep(&io.pointee.buffer)
    var io: UnsafeMutablePointer<AVIOContext>? = io
    avio_context_free(&io)
  }

  /// Adds the video track.
  func addStream(
    _ video: VideoTrack, timeBase: AVRational
  ) throws(OvercrankError) -> UnsafeMutablePointer<AVStream> {
    guard [video.width, video.height].allSatisfy((1...Int(Int32.max)).contains) else {
      throw OvercrankError(
        .unsupported, "\(path): no file can hold frames of \(video.width)x\(video.height).")
    }
    guard let stream = avformat_new_stream(format, nil), video.fill(stream.pointee.codecpar) >= 0,
      video.displayMatrix?.attach(to: stream) ?? true, video.light?.attach(to: stream) ?? true
    else { throw OvercrankError.outOfMemory(path) }
    if let parameters = stream.pointee.codecpar, parameters.pointee.codec_id != AV_CODEC_ID_RAWVIDEO {
      parameters.pointee.codec_tag = CodecTag(parameters.pointee, in: format.pointee.oformat.pointee).value
    }
    stream.pointee.sample_aspect_ratio = stream.pointee.codecpar.pointee.sample_aspect_ratio
    stream.pointee.time_base = timeBase
    return stream
  }

  /// Adds an audio track.
  func addStream(_ audio: AudioTrack) throws(OvercrankError) -> UnsafeMutablePointer<AVStream> {
    guard let stream = avformat_new_stream(format, nil),
      avcodec_parameters_copy(stream.pointee.codecpar, audio.parameters.pointer) >= 0
    else { throw OvercrankError.outOfMemory(path) }
    stream.pointee.codecpar.pointee.codec_tag = 0
    stream.pointee.time_base = clibav_rational(1, audio.rate)
    return stream
  }

  func writeHeader(metadata: [String: String], options: [String: Int64]) throws(OvercrankError) {
    // Sorted, so that two runs write the same bytes.
    for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
      av_dict_set(&format.pointee.metadata, key, value, 0)
    }
    var dictionary: OpaquePointer?
    defer { av_dict_free(&dictionary) }
    for (key, value) in options { av_dict_set_int(&dictionary, key, value, 0) }
    try check(avformat_write_header(format, &dictionary), "writing the header")
  }

  func write(_ packet: Packet) throws(OvercrankError) {
    packetBytes = UnsafeRawPointer(packet.pointer.pointee.data)
    lastPacketPosition = nil
    defer { packetBytes = nil }
    try check(av_write_frame(format, packet.pointer), "writing a frame")
  }

  /// Sets how long a GIF shows its last frame, in hundredths of a second. libav would show it as long as the one before.
  func setFinalDelay(_ delay: Int64) {
    av_opt_set_int(format.pointee.priv_data, "final_delay", min(delay, Int64(UInt16.max)), 0)
  }

  func writeTrailer() throws(OvercrankError) {
    try check(av_write_trailer(format), "writing the index")
  }

  /// Claims the disk space of the next `count` bytes.
  func reserve(_ count: Int) throws(OvercrankError) {
    try file?.reserve(count)
  }

  /// Returns whether `count` bytes can be written without waiting for a disk, while `more` bytes stay free
  /// after them.
  func isReady(forBytes count: Int, reserving more: Int) -> Bool {
    file?.isReady(forBytes: count + Int(Self.bufferSize), reserving: more) ?? true
  }

  /// The keys of the file's metadata, in the order in which libav has written them.
  var metadataKeys: [String] {
    var keys: [String] = []
    var entry: UnsafeMutablePointer<AVDictionaryEntry>?
    while let next = av_dict_get(format.pointee.metadata, "", entry, AV_DICT_IGNORE_SUFFIX) {
      keys.append(String(cString: next.pointee.key))
      entry = next
    }
    return keys
  }

  /// Returns the `count` bytes of the file from `offset` on, or as many as there are.
  func bytes(at offset: Int64, count: Int) throws(OvercrankError) -> [UInt8] {
    try file?.bytes(at: offset, count: count) ?? []
  }

  /// Writes `bytes` at `offset`, which is at most the file's end, without libav.
  func replace(_ bytes: [UInt8], at offset: Int64) throws(OvercrankError) {
    try file?.replace(bytes, at: offset)
    size = max(size, offset + Int64(bytes.count))
  }

  /// Cuts the finished file off at `size`, which is at most its size.
  func shorten(to size: Int64) {
    file?.shorten(to: size)
    self.size = size
  }

  /// Gives the file its name, or the one that `settle` returns.
  func commit(as settle: (() -> FilePath)?) throws(OvercrankError) {
    guard let file = file.take() else { return }
    try file.commit(as: settle)
  }

  /// Gives the file its name once `check` has accepted it, synced, by the path of its part.
  func commit(checking check: (FilePath) throws(OvercrankError) -> Void) throws(OvercrankError) {
    guard let file = file.take() else { return }
    try file.commit(checking: check)
  }

  private func check(_ result: Int32, _ action: String) throws(OvercrankError) {
    // The file's error is more specific than libav's number for it, and libav may not pass it on at all.
    if let failure { throw failure }
    guard result >= 0 else {
      throw OvercrankError.libav(result, action, of: path, "No file was written; try another container.")
    }
  }
}

/// The functions that libav calls.
extension OutputContext {
  private static func from(_ opaque: UnsafeMutableRawPointer?) -> OutputContext? {
    opaque.map { Unmanaged<OutputContext>.fromOpaque($0).takeUnretainedValue() }
  }

  private func write(_ bytes: UnsafeRawBufferPointer) -> Int32 {
    if bytes.baseAddress == packetBytes { lastPacketPosition = position }
    do throws(OvercrankError) {
      try pipe?.write(bytes)
      try file?.write(bytes)
      position += Int64(bytes.count)
      size = max(size, position)
      return Int32(bytes.count)
    } catch {
      failure = error
      return clibav_error(EIO)
    }
  }

  private func seek(to offset: Int64, from origin: Int32) -> Int64 {
    if origin & AVSEEK_SIZE != 0 { return size }
    guard origin == SEEK_SET, offset >= 0, pipe == nil else { return Int64(clibav_error(EINVAL)) }
    file?.seek(to: offset)
    position = offset
    return offset
  }
}
