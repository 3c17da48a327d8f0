// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "overcrank-benchmarks",
  dependencies: [
    .package(name: "overcrank", path: ".."),
    // Without its traits it needs no jemalloc. Its counts of allocations then read 0 and prove nothing:
    // script/prove-frame-path counts them.
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
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
        .product(name: "Benchmark", package: "benchmark"), .product(name: "Capture", package: "overcrank"),
      ],
      path: "Benchmarks/Cameras",
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
    .executableTarget(
      name: "JPEGBenchmarks",
      dependencies: [
        .product(name: "Benchmark", package: "benchmark"), .product(name: "Capture", package: "overcrank"),
      ],
      path: "Benchmarks/JPEG",
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
  ]
)
