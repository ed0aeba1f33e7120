import { expect, test } from 'vitest'
import { compareCues } from '#web/items/captions/page/compare-cues.ts'

const cue = (from: number, text: string, to = from + 1) => ({ from, to, text })

test('lines at the same time are beside each other, and changed, added and removed ones are marked', () => {
  const before = [cue(1, 'same'), cue(2, 'old'), cue(3, 'gone'), cue(5, 'shifted')]
  const after = [cue(1, 'same'), cue(2, 'new'), cue(4, 'added'), cue(5, 'shifted', 9)]
  const compared = compareCues(before, after)
  expect(compared.map(({ isChanged, ...line }) => [...Object.values(line), isChanged])).toEqual([
    [1, 'same', 'same', false],
    [2, 'old', 'new', true],
    [3, 'gone', null, true],
    [4, null, 'added', true],
    [5, 'shifted', 'shifted', true],
  ])
})

test('lines that begin at once are paired in their order', () => {
  const twice = [cue(1, 'a'), cue(1, 'b')]
  expect(compareCues(twice, twice).every(({ isChanged }) => !isChanged)).toBe(true)
  expect(compareCues([], twice)).toHaveLength(2)
})
