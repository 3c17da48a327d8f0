// Lost frames, counted where they lie: a gap in the camera's numbers.

/** Returns `[{before, after, lost}]`: the frames around each gap, and the number of frames lost between them. */
export function losses(sequence) {
  const found = []
  for (let after = 1; after < sequence.length; after += 1) {
    const lost = sequence[after] - sequence[after - 1] - 1
    if (lost > 0) found.push({ before: after - 1, after, lost })
  }
  return found
}

/** Returns the losses beside a frame in words, or an empty text. */
export function told(found, index) {
  return found.filter(({ before, after }) => before === index || after === index)
    .map(({ before, lost }) => `${lost} lost ${before === index ? 'after' : 'before'} frame ${index}`).join(', ')
}

/** Returns the number of frames lost within a part. */
export const lostIn = (found, first, last) => found.filter(({ before, after }) => before >= first && after <= last)
  .reduce((sum, { lost }) => sum + lost, 0)
