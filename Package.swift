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
  /// Folders of files that are not compiled.
  var exclude: [String] = []
}

let system = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let histogram = Target.Dependency.product(name: "Histogram", package: "hdrhistogram-swift")
let nio = ["NIOCore", "NIOPosix", "NIOHTTP1"].map {
  Target.Dependency.product(name: $0, package: "swift-nio")
}
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

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
      "CEmbeddedFiles", "CLinux", "Timebase", "CameraModel", "Platform", "V4L2", "Media", yams, system,
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
    name: "StudioServer", dependencies: ["CEmbeddedFiles", "CLinux", "CQREncode", "Overcrank"] + nio,
    testDependencies: [
      "Timebase", "CameraModel", "Platform", "Cameras", "Takes", "Capture", "Retime", system, judge, yams,
    ], exclude: ["Page"]),
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
  .target(name: "CEmbeddedFiles"),
  .target(name: "CFlow"),
  .target(name: "CPixels"),
  .target(name: "CLinux"),
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
      name: room.name, dependencies: room.dependencies, exclude: room.exclude,
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
