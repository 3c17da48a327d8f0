import Testing

@testable import Media

@Suite struct PictureConverterTests {
  let clipColor = ColorDescription(primaries: .bt709, transfer: .srgb, matrix: .bt601, range: .limited)

  /// Returns a picture whose samples are `sample(plane, row, column)`.
  func picture(
    _ layout: PixelLayout, _ width: Int, _ height: Int, _ color: ColorDescription,
    sample: (Int, Int, Int) -> UInt8
  ) throws -> Picture {
    var pool = PicturePool()
    let picture = try pool.picture(layout: layout, width: width, height: height, color: color)
    for (plane, geometry) in try #require(layout.planes(width: width, height: height)).enumerated() {
      let base = try #require(picture.planeBases[plane])
      for row in 0..<geometry.rows {
        for column in 0..<geometry.bytesPerRow {
          base[row * Int(picture.planeStrides[plane]) + column] = sample(plane, row, column)
        }
      }
    }
    return picture
  }

  func convert(_ picture: Picture, _ width: Int, _ height: Int) throws -> Picture {
    var converter = PictureConverter(width: width, height: height, color: clipColor)
    return try converter.convert(picture)
  }

  @Test(arguments: [PixelLayout.yuv422p, .yuv420p]) func everyFullRangeValueIsSqueezedExactly(
    layout: PixelLayout
  )
    throws
  {
    let source = try picture(layout, 256, 4, .jpeg) { plane, row, column in
      UInt8(plane == 0 ? column : (column * 2 + row) % 256)
    }
    let target = try convert(source, 256, 4)
    #expect(target.layout == .yuv420p)
    #expect(target.color == clipColor)
    for value in 0..<256 {
      let luma = target.withRow(1, plane: 0) { $0[value] }
      #expect(luma == UInt8((16 + Double(value) * 219 / 255).rounded()))
    }
    let step = layout == .yuv422p ? 2 : 1
    for column in 0..<128 {
      let rows = (0..<step).map { Double((column * 2 + step + $0) % 256) }
      let mean = rows.reduce(0, +) / Double(step)
      let chroma = Double(target.withRow(1, plane: 2) { $0[column] })
      #expect(abs(chroma - (128 + (mean - 128) * 224 / 255)) <= 0.501)
    }
  }

  @Test func pictureThatIsRightAlreadyIsPassedOn() throws {
    let source = try picture(.yuv420p, 64, 48, clipColor) { _, _, _ in 100 }
    #expect(try convert(source, 64, 48) === source)
  }

  @Test(arguments: [(65, 48), (64, 49), (65, 49)]) func oddSizesLoseTheirLastRowOrColumn(
    width: Int, height: Int
  )
    throws
  {
    for color in [ColorDescription.jpeg, clipColor] {
      let source = try picture(.yuv422p, width, height, color) { plane, row, column in
        plane == 0 ? UInt8(60 + row + column) : 128
      }
      let target = try convert(source, 64, 48)
      #expect((target.width, target.height) == (64, 48))
      let corner = target.withRow(47, plane: 0) { Double($0[63]) }
      let expected = Double(60 + 47 + 63)
      #expect(abs(corner - (color == .jpeg ? 16 + expected * 219 / 255 : expected)) <= 1)
    }
  }

  @Test(arguments: [
    (PixelLayout.rgb24, [255, 0, 0], [81, 90, 240]), (.bgr24, [255, 0, 0], [41, 240, 110]),
    (.rgb24, [255, 255, 255], [235, 128, 128]), (.rgb24, [0, 0, 0], [16, 128, 128]),
  ])
  func redGreenBlueBecomesBT601(layout: PixelLayout, pixel: [UInt8], expected: [Int]) throws {
    var color = clipColor
    (color.matrix, color.range) = (.rgb, .full)
    let target = try convert(picture(layout, 64, 48, color) { _, _, column in pixel[column % 3] }, 64, 48)
    for plane in 0..<3 {
      #expect(abs(Int(target.withRow(10, plane: plane) { $0[10] }) - expected[plane]) <= 2)
    }
  }

  @Test(arguments: [PixelLayout.yuv420p, .yuv422p, .yuyv422]) func anotherMatrixIsConverted(
    layout: PixelLayout
  )
    throws
  {
    var color = clipColor
    color.matrix = .bt709
    // Red of 201, 30 and 30 in BT.709; the expected values are those of BT.601.
    let (luma, blue, red) = (UInt8(73), UInt8(111), UInt8(203))
    let source = try picture(layout, 64, 48, color) { plane, _, column in
      guard layout == .yuyv422 else { return [luma, blue, red][plane] }
      return column % 2 == 0 ? luma : column % 4 == 1 ? blue : red
    }
    let target = try convert(source, 64, 48)
    #expect(target.color == clipColor)
    for (plane, expected) in [86, 103, 203].enumerated() {
      #expect(abs(Int(target.withRow(10, plane: plane) { $0[10] }) - expected) <= 3)
    }
  }

  @Test(arguments: [PixelLayout.yuyv422, .uyvy422, .nv12]) func rawCameraLayoutsKeepTheirValues(
    layout: PixelLayout
  )
    throws
  {
    let isChromaFirst = layout == .uyvy422
    let source = try picture(layout, 64, 48, clipColor) { plane, _, column in
      if layout == .nv12 { return plane == 0 ? 120 : column % 2 == 0 ? 90 : 160 }
      let isLuma = (column % 2 == 0) != isChromaFirst
      return isLuma ? 120 : column % 4 < 2 ? 90 : 160
    }
    let target = try convert(source, 64, 48)
    #expect((0..<3).map { plane in target.withRow(5, plane: plane) { $0[5] } } == [120, 90, 160])
  }
}
