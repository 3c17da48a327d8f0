import Platform

internal import CLibAV

/// The owner of an `AVFilterGraph` with one output.
final class FilterGraph {
  private let libavfilter: clibav_filter_functions
  private let sources: [UnsafeMutablePointer<AVFilterContext>]
  private let sink: UnsafeMutablePointer<AVFilterContext>
  private let graph: UnsafeMutablePointer<AVFilterGraph>

  /// Returns libavfilter's description of the samples in ``AudioSamples``.
  static func format(_ channelCount: Int) -> String {
    "aformat=sample_fmts=fltp:channel_layouts=\(channelCount == 1 ? "mono" : "stereo")"
  }

  /// Creates filters, in libavfilter's syntax, for the output of `decoder`.
  convenience init(
    _ decoder: UnsafeMutablePointer<AVCodecContext>, timeBase: AVRational, _ filters: String
  ) throws(OvercrankError) {
    var layout = decoder.pointee.ch_layout
    if layout.order == AV_CHANNEL_ORDER_UNSPEC { av_channel_layout_default(&layout, layout.nb_channels) }
    var name = [CChar](repeating: 0, count: 128)
    av_channel_layout_describe(&layout, &name, name.count)
    let description = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let format = av_get_sample_fmt_name(decoder.pointee.sample_fmt).map { String(cString: $0) } ?? ""
    try self.init(
      "time_base=\(timeBase.num)/\(timeBase.den):sample_rate=\(decoder.pointee.sample_rate)"
        + ":sample_fmt=\(format):channel_layout=\(description)", filters)
  }

  /// Creates filters for samples in the form of ``AudioSamples``.
  convenience init(channelCount: Int, _ filters: String) throws(OvercrankError) {
    try self.init(
      "time_base=1/\(SlowedAudio.rate):sample_rate=\(SlowedAudio.rate):sample_fmt=fltp:channel_layout="
        + (channelCount == 1 ? "mono" : "stereo"), filters)
  }

  /// Creates filters for audio, with one input.
  private convenience init(_ input: String, _ filters: String) throws(OvercrankError) {
    try self.init(
      "abuffer@in=\(input),\(filters),abuffersink@out", inputs: ["abuffer@in"], output: "abuffersink@out",
      for: "slowing down audio", .dropAudio, "Leave the audio out.")
  }

  /// Creates filters for pictures, in libavfilter's syntax. `inputs` are the layouts and sizes of their inputs,
  /// which `filters` calls `[in0]`, `[in1]` and so on.
  convenience init(
    pictures inputs: [(layout: PixelLayout, width: Int, height: Int)], _ filters: String, for purpose: String,
    _ remedy: String
  ) throws(OvercrankError) {
    let sources = inputs.enumerated().map { number, input in
      "buffer@in\(number)=pix_fmt=\(input.layout):width=\(input.width):height=\(input.height):time_base=1/1"
        + "[in\(number)]"
    }
    try self.init(
      (sources + ["\(filters),buffersink@out"]).joined(separator: ";"),
      inputs: inputs.indices.map { "buffer@in\($0)" }, output: "buffersink@out", for: purpose, nil, remedy)
  }

  private init(
    _ whole: String, inputs names: [String], output: String, for purpose: String,
    _ kind: OvercrankError.Remedy?, _ remedy: String
  ) throws(OvercrankError) {
    guard let libavfilter = LibAVFilter.functions else {
      throw LibAVFilter.missing(for: purpose, kind, remedy)
    }
    guard let graph = libavfilter.avfilter_graph_alloc() else { throw OvercrankError.outOfMemory("filters") }
    graph.pointee.nb_threads = 1
    var (inputs, outputs) = (
      UnsafeMutablePointer<AVFilterInOut>?.none, UnsafeMutablePointer<AVFilterInOut>?.none
    )
    var result = libavfilter.avfilter_graph_parse2(graph, whole, &inputs, &outputs)
    libavfilter.avfilter_inout_free(&inputs)
    libavfilter.avfilter_inout_free(&outputs)
    if result >= 0 { result = libavfilter.avfilter_graph_config(graph, nil) }
    let sources = names.compactMap { libavfilter.avfilter_graph_get_filter(graph, $0) }
    guard result >= 0, sources.count == names.count,
      let sink = libavfilter.avfilter_graph_get_filter(graph, output)
    else {
      var graph: UnsafeMutablePointer<AVFilterGraph>? = graph
      libavfilter.avfilter_graph_free(&graph)
      throw OvercrankError(
        .unsupported, "libavfilter refused \"\(whole)\": \(libavWords(result)). \(remedy)", remedy: kind)
    }
    self.libavfilter = libavfilter
    self.graph = graph
    self.sources = sources
    self.sink = sink
  }

  deinit {
    var graph: UnsafeMutablePointer<AVFilterGraph>? = graph
    libavfilter.avfilter_graph_free(&graph)
  }

  /// Passes `frame` to an input of the filters, which take its samples or pixels.
  ///
  /// - Returns: libavfilter's result, negative if it refused.
  func push(_ frame: borrowing Picture, to input: Int = 0) -> Int32 {
    libavfilter.av_buffersrc_add_frame(sources[input], frame.frame)
  }

  /// Signals the end of an input to the filters.
  func pushEnd(of input: Int = 0) { _ = libavfilter.av_buffersrc_add_frame(sources[input], nil) }

  /// Moves the next output into `frame`, which must be empty. Returns `false` if more input is needed first.
  func pull(into frame: borrowing Picture) throws(OvercrankError) -> Bool {
    let result = libavfilter.av_buffersink_get_frame(sink, frame.frame)
    guard result < 0 else { return true }
    guard result == clibav_try_again() else { throw OvercrankError.slowingAudio(result) }
    return false
  }

  /// Sends `filter` a command, such as a new `tempo`.
  func send(_ command: String, _ argument: String, to filter: String) throws(OvercrankError) {
    let result = libavfilter.avfilter_graph_send_command(graph, filter, command, argument, nil, 0, 0)
    guard result >= 0 else { throw OvercrankError.slowingAudio(result) }
  }
}

extension OvercrankError {
  static func slowingAudio(_ result: Int32) -> OvercrankError {
    OvercrankError(
      .unsupported,
      "the audio could not be slowed down: \(libavWords(result)). Leave it out.", remedy: .dropAudio)
  }
}

internal import CLibAV

/// libavfilter, loaded on first use.
enum LibAVFilter {
  /// Its functions; `nil` if it is not installed.
  static let functions: clibav_filter_functions? = {
    var functions = clibav_filter_functions()
    return clibav_load_filter_functions(&functions) ? functions : nil
  }()

  /// Returns whether it is installed and has the filter `name`: it can be built without some.
  static func has(_ name: String) -> Bool { functions?.avfilter_get_by_name(name) != nil }

  /// The error for work that requires libavfilter, which is not installed.
  static func missing(
    for purpose: String = "slowing down audio", _ kind: OvercrankError.Remedy? = .dropAudio,
    _ remedy: String = "Leave the audio out."
  ) -> OvercrankError {
    OvercrankError(
      .unsupported,
      "\(purpose) needs \(String(cString: clibav_filter_library())), which cannot be loaded here. Install it "
        + "(Debian: libavfilter8). \(remedy)", remedy: kind)
  }
}
