import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ageOf } from '#web/core/time/age.ts'

const NOW = Date.parse('2026-11-23T12:00:00.000Z')
const before = (milliseconds: number) => new Date(NOW - milliseconds).toISOString()
const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

it.each([
  ['no date', null],
  [before(7 * DAY), null],
  [before(-DAY), null],
  [before(7 * DAY - 1), { unit: 'days', count: 6 }],
  [before(DAY), { unit: 'days', count: 1 }],
  [before(DAY - 1), { unit: 'hours', count: 23 }],
  [before(HOUR), { unit: 'hours', count: 1 }],
  [before(HOUR - 1), { unit: 'minutes', count: 59 }],
  [before(MINUTE), { unit: 'minutes', count: 1 }],
  [before(MINUTE - 1), { unit: 'minutes', count: 0 }],
  [before(-HOUR), { unit: 'minutes', count: 0 }],
])('%s is %o ago', (date, age) => {
  expect(ageOf(date, NOW)).toEqual(age)
})

it('rounds down by less than one unit', () => {
  const units = { minutes: MINUTE, hours: HOUR, days: DAY }
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 7 * DAY - 1 }), (passed) => {
      const age = ageOf(before(passed), NOW)
      const rounded = (age?.count ?? -1) * units[age?.unit ?? 'minutes']
      return rounded <= passed && passed - rounded < units[age?.unit ?? 'minutes']
    }),
  )
})
