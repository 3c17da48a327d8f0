// swift-tools-version: 6.2
import PackageDescription

/// Settings of every Swift target: Swift 6 concurrency checks, C modules kept out of public
/// signatures, and no warning left standing.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
  .treatAllWarnings(as: .error),
]

/// Settings of the tests of the program and of the studio, which compute little themselves: without the optimizer, they
/// compile twice as fast.
let waitingSettings = settings + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// A wrong memory order planted in the ring, to see that the stress test catches it; see script/test.
let ringSettings: [SwiftSetting] =
  Context.environment["OVERCRANK_PLANT_RING_FAULT"] == nil ? [] : [.define("PLANTED_RING_FAULT")]

/// A room of the house: a target and its tests.
struct Room {
  var name: String
  var dependencies: [Target.Dependency]
  var testDependencies: [Target.Dependency] = []
  var extraSettings: [SwiftSetting] = []
  /// Files that become part of the program, beside the Swift ones.
  var resources: [Resource] = []
}

let system = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let histogram = Target.Dependency.product(name: "Histogram", package: "hdrhistogram-swift")
let nio = ["NIOCore", "NIOPosix", "NIOHTTP1"].map {
  Target.Dependency.product(name: $0, package: "swift-nio")
}
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

/// The files in profiles/ that become part of the program; its own list is in ShippedProfiles.swift.
let shippedProfiles = [
  "3d-usb-camera-stereo-1200p", "elgato-4k-x-10g", "elp-4k-32e4-0317", "elp-usbfhd01m-ov2710",
  "elp-usbfhd08s-260fps", "imx219", "imx290", "imx296", "imx477", "imx519", "imx585", "imx708",
  "iphone-7-plus-back-wide", "jetson-imx219-1640", "jetson-orin-imx477", "jetson-ov9281-grey-y10",
  "leap-motion-uvc", "logitech-brio-4k-usb3", "logitech-c922", "ov5647", "ov64a40", "ov7251",
  "ov9281", "ps3-eye-ov534", "ps5-hd-camera-ov580", "realsense-d4xx-tegra-depth",
  "see3cam-24cug-usb3", "see3cam-cu55-usb2", "tis-dfk-37bux250", "tis-dfm-27ur0135-ml",
  "withrobot-ocam-5cro-u",
]

/// The files of the studio's page in Sources/StudioServer/Page, which become part of the program.
let pageFiles = [
  "index.html", "style.css", "studio.webmanifest", "icon.svg", "icon192.png", "icon512.png",
  "actions.js", "api.js", "camera.js", "cameras.js", "camerazoom.js", "cliplength.js", "cliplook.js",
  "clipoptions.js", "clips.js",
  "compare.js", "controls.js", "curve.js", "dom.js", "download.js", "edited.js", "filmstrip.js",
  "filter.js", "folder.js", "format.js", "frames.js", "fullscreen.js", "items.js", "keys.js",
  "grouppicture.js", "groups.js", "grouptime.js", "groupview.js",
  "last.js", "layout.js", "library.js", "live.js", "losses.js", "made.js", "main.js", "marks.js", "mp4.js",
  "notices.js", "overlays.js", "phone.js", "picture.js", "place.js", "record.js", "review.js", "selection.js",
  "sender.js", "settings.js", "setup.js", "state.js", "status.js", "timeline.js", "told.js",
  "trash.js", "upload.js", "words.js", "zoom.js",
]

/// What tests of several rooms judge videos with: ffprobe, ffmpeg, folders that go away.
let judge = Target.Dependency.byName(name: "FrameJudge")

/// The program of `script/test fuzz --guided`, which no other build makes: it is linked with libFuzzer.
let guidedFuzz: [Target] =
  Context.environment["OVERCRANK_GUIDED_FUZZ"].map { libFuzzer in
    [
      .executableTarget(
        name: "ParserFuzz", dependencies: ["FuzzedParsers"], path: "Tests/ParserFuzz/Guided",
        swiftSettings: settings,
        linkerSettings: [.unsafeFlags(["-Xlinker", libFuzzer, "-Xlinker", "-lstdc++"])])
    ]
  } ?? []

let rooms: [Room] = [
  // Arithmetic alone: nothing in it is to touch memory by itself.
  Room(name: "Timebase", dependencies: [], extraSettings: [.strictMemorySafety()]),
  Room(name: "CameraModel", dependencies: ["Timebase"], testDependencies: [judge]),
  Room(name: "AudioModel", dependencies: ["Timebase"]),
  Room(name: "Platform", dependencies: ["CLinux", "Timebase", system], testDependencies: [judge]),
  // Buffers and their bytes are tied to the queue that maps them.
  Room(
    name: "V4L2", dependencies: ["CV4L2", "Timebase", "CameraModel", system], testDependencies: [judge],
    extraSettings: [.enableExperimentalFeature("Lifetimes")]),
  Room(
    name: "ALSA", dependencies: ["CALSA", "Timebase", "AudioModel", system], testDependencies: [judge]),
  Room(
    name: "Media",
    dependencies: [
      "CFlow", "CLibAV", "CLinux", "CPixels", "CTurboJPEG", "CV4LConvert", "Timebase", "CameraModel",
      "AudioModel", "Platform", system,
    ],
    testDependencies: [judge]),
  Room(
    name: "Cameras",
    dependencies: [
      "CLinux", "Timebase", "CameraModel", "Platform", "V4L2", "Media", "ShippedProfiles", yams, system,
    ],
    testDependencies: [judge]),
  Room(
    name: "Microphones", dependencies: ["Timebase", "AudioModel", "Platform", "ALSA", system],
    testDependencies: [judge]),
  Room(
    name: "Simulator",
    dependencies: [
      "Timebase", "CameraModel", "AudioModel", "Platform", "V4L2", "Media", "Cameras", "Microphones", system,
    ],
    testDependencies: ["CLinux", judge]),
  Room(
    name: "Takes", dependencies: ["Timebase", "CameraModel", "AudioModel", "Platform", "Media", system],
    testDependencies: [judge]),
  Room(
    name: "Capture",
    dependencies: [
      "CLinux", "Timebase", "CameraModel", "AudioModel", "Platform", "V4L2", "Media", "Cameras",
      "Microphones", "Simulator", "Takes", system,
    ],
    testDependencies: [judge], extraSettings: ringSettings),
  Room(
    name: "Retime", dependencies: ["Timebase", "CameraModel", "Platform", "Media", "Takes", system],
    testDependencies: [judge]),
  Room(
    name: "Diagnostics",
    dependencies: [
      "Timebase", "CameraModel", "AudioModel", "Platform", "V4L2", "ALSA", "Media", "Cameras",
      "Microphones", "Simulator", "Takes", "Capture", histogram, system,
    ],
    testDependencies: [judge]),
  Room(
    name: "Overcrank",
    dependencies: [
      "Timebase", "CameraModel", "AudioModel", "Platform", "Media", "Cameras", "Microphones", "Simulator",
      "Takes", "Capture", "Retime", "Diagnostics", system,
    ],
    testDependencies: [judge]),
  Room(
    name: "StudioServer", dependencies: ["CLinux", "CQREncode", "Overcrank"] + nio,
    testDependencies: [
      "Timebase", "CameraModel", "Platform", "Cameras", "Takes", "Capture", "Retime", system, judge, yams,
    ], resources: pageFiles.map { .embedInCode("Page/\($0)") }),
]

/// The targets that are not rooms. Within one expression, Swift 6.2 cannot type-check these and the rooms'
/// targets in time.
let otherTargets: [Target] = [
  .target(name: "CV4L2"),
  .target(name: "CALSA"),
  .target(name: "CLibAV"),
  .target(name: "CTurboJPEG"),
  .target(name: "CV4LConvert"),
  .target(name: "CQREncode"),
  .target(name: "CFlow"),
  .target(name: "CPixels"),
  .target(name: "CLinux"),
  .target(
    name: "ShippedProfiles", path: "profiles", exclude: ["README.md"],
    resources: shippedProfiles.map { .embedInCode("\($0).yaml") }, swiftSettings: settings),
  .target(name: "CTestWidth", path: "Tests/CTestWidth"),
  .target(
    name: "FrameJudge", dependencies: ["CLinux", "CTestWidth", "CameraModel", "Timebase"],
    path: "Tests/FrameJudge",
    swiftSettings: settings),
  .target(
    name: "USBCamera",
    dependencies: ["Cameras", "CameraModel", "Media", "Platform", "Simulator", "V4L2"],
    path: "Tests/USBCamera", swiftSettings: settings),
  .executableTarget(
    name: "OvercrankCLI",
    dependencies: ["CLinux", "Overcrank", "StudioServer", arguments],
    swiftSettings: settings),
  .executableTarget(
    name: "RingStress", dependencies: ["Capture"], path: "Tests/RingStress", swiftSettings: settings),
  .executableTarget(
    name: "FramePath",
    dependencies: [
      "Capture", "Cameras", "CameraModel", "Microphones", "Platform", "Simulator", "Takes", "Timebase",
    ],
    path: "Tests/FramePath", swiftSettings: settings),
  .executableTarget(
    name: "Soak", dependencies: rooms.map { .byName(name: $0.name) } + [system, judge],
    path: "Tests/Soak", swiftSettings: settings),
  .executableTarget(
    name: "DamageFuzz", dependencies: rooms.map { .byName(name: $0.name) } + [system, judge],
    path: "Tests/DamageFuzz", swiftSettings: settings),
  .target(
    name: "FuzzedParsers", dependencies: rooms.map { .byName(name: $0.name) } + [system],
    path: "Tests/ParserFuzz/Parsers", swiftSettings: settings),
  .testTarget(
    name: "OvercrankCLITests",
    dependencies: rooms.map { .byName(name: $0.name) } + [
      "OvercrankCLI", "CV4L2", "USBCamera", "FuzzedParsers", judge, system,
    ],
    swiftSettings: waitingSettings),
]

/// The targets of the rooms: each one and its tests.
let roomTargets: [Target] = rooms.flatMap { room -> [Target] in
  [
    .target(
      name: room.name, dependencies: room.dependencies, resources: room.resources,
      swiftSettings: settings + room.extraSettings),
    .testTarget(
      name: room.name + "Tests",
      dependencies: [.byName(name: room.name)] + room.dependencies + room.testDependencies,
      swiftSettings: room.name == "StudioServer" ? waitingSettings : settings),
  ]
}

let package = Package(
  name: "overcrank",
  products: [
    .executable(name: "overcrank", targets: ["OvercrankCLI"])
  ] + ["V4L2", "Capture", "Overcrank"].map { .library(name: $0, targets: [$0]) },
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  targets: otherTargets + guidedFuzz + roomTargets
)
