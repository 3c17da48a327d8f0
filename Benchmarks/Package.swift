// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "overcrank-benchmarks",
  dependencies: [
    .package(name: "overcrank", path: ".."),
    // Without its traits it needs no jemalloc. Its counts of allocations then read 0 and prove nothing:
    // script/prove-frame-path counts them.
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
  ],
  targets: [
    .executableTarget(
      name: "RingBenchmarks",
      dependencies: [
        .product(name: "Benchmark", package: "benchmark"), .product(name: "Capture", package: "overcrank"),
      ],
      path: "Benchmarks/Ring",
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
    .executableTarget(
      name: "CameraBenchmarks",
      dependencies: [
        .product(name: "Benchmark", package: "benchmark"),
        .product(name: "CameraModel", package: "overcrank"),
        .product(name: "Simulator", package: "overcrank"), .product(name: "Timebase", package: "overcrank"),
      ],
      path: "Benchmarks/Cameras",
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
    .executableTarget(
      name: "JPEGBenchmarks",
      dependencies: [
        .product(name: "Benchmark", package: "benchmark"), .product(name: "Media", package: "overcrank"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Benchmarks/JPEG",
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
  ]
)
