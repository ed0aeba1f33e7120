import { expect, test } from 'vitest'
import { placeOf } from '#web/items/captions/current-cue.ts'

const cues = [
  { from: 1, to: 2, text: 'one' },
  { from: 2, to: 4, text: 'two' },
  { from: 60, to: 62, text: 'three' },
]

test.each([
  ['before the first line', 0.5, -1],
  ['at its beginning', 1, 0],
  ['in the next one', 3.9, 1],
  ['in the short pause after it', 6.9, 1],
  ['in a long pause', 7, -1],
  ['in the last one', 61, 2],
  ['after the last one', 600, -1],
])('%s, the place of the current line is right', (_, at, place) => {
  expect(placeOf(cues, at)).toBe(place)
})
