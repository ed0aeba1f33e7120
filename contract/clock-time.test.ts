import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clockTime } from '#contract/clock-time.ts'

test('hours only appear from 60 minutes on', () => {
  expect([0, 9.9, 60, 380, 3599].map(clockTime)).toEqual(['0:00', '0:09', '1:00', '6:20', '59:59'])
  expect([3600, 3725].map(clockTime)).toEqual(['1:00:00', '1:02:05'])
})

test('the parts add up to whole seconds', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e6, noNaN: true }), (seconds) => {
      const sum = clockTime(seconds)
        .split(':')
        .reduce((total, part) => total * 60 + Number(part), 0)
      expect(sum).toBe(Math.floor(seconds))
    }),
  )
})
