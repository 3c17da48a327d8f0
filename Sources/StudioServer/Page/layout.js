// Where a clip of several cameras shows the picture of each, as the studio arranges them.

/** The place of a shape within a box: the largest of its proportions, in the middle. */
function fitting(box, { width, height }) {
  const scale = Math.min(box.width / width, box.height / height)
  const [wide, high] = [width * scale, height * scale]
  return { x: box.x + (box.width - wide) / 2, y: box.y + (box.height - high) / 2, width: wide, height: high }
}

/** Boxes beside each other along one side, all of one length along the other. */
function row(shapes, [along, across], [at, other]) {
  const most = Math.max(...shapes.map((shape) => shape[across]))
  let place = 0
  const boxes = shapes.map((shape) => {
    const length = (shape[along] * most) / shape[across]
    place += length
    return { [along]: length, [across]: most, [at]: place - length, [other]: 0 }
  })
  return { [along]: place, [across]: most, boxes }
}

/** Returns the size of the whole picture, and the box of each of these shapes in it; `null` if a layout has no place for all. */
export function arranged(layout, shapes) {
  const [widest, highest] = [Math.max(...shapes.map(({ width }) => width)), Math.max(...shapes.map(({ height }) => height))]
  if (layout === 'side') return row(shapes, ['width', 'height'], ['x', 'y'])
  if (layout === 'stack') return row(shapes, ['height', 'width'], ['y', 'x'])
  if (layout === 'grid') {
    const columns = Math.ceil(Math.sqrt(shapes.length))
    const boxes = shapes.map((shape, place) => fitting({ x: widest * (place % columns), y: highest * Math.floor(place / columns), width: widest, height: highest }, shape))
    return { width: widest * columns, height: highest * Math.ceil(shapes.length / columns), boxes }
  }
  if (shapes.length > 5) return null
  const [{ width, height }] = shapes
  const boxes = shapes.map((shape, place) => {
    if (place === 0) return { x: 0, y: 0, width, height }
    const box = fitting({ x: 0, y: 0, width: width / 4, height: height / 2 }, shape)
    // From the lower right corner clockwise.
    return { ...box, x: place === 1 || place === 4 ? width - box.width : 0, y: place <= 2 ? height - box.height : 0 }
  })
  return { width, height, boxes }
}
