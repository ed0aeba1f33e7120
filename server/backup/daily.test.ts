import { expect, test } from 'vitest'
import { isDue } from '#server/backup/daily.ts'

test('it is due once a day from one o’clock UTC, and an hour after it failed', () => {
  const at = (text: string) => new Date(`2026-02-${text}:00Z`)
  const none = { dailyMadeAt: null, dailyTriedAt: null, isBeingMade: false }
  expect(isDue(none, at('03T15:00'))).toBe(true)
  expect(isDue({ ...none, isBeingMade: true }, at('03T15:00'))).toBe(false)
  const made = { ...none, dailyMadeAt: at('03T15:00'), dailyTriedAt: at('03T15:00') }
  expect(isDue(made, at('03T23:59'))).toBe(false)
  expect(isDue(made, at('04T00:59'))).toBe(false)
  expect(isDue(made, at('04T01:00'))).toBe(true)
  const failed = { ...made, dailyTriedAt: at('04T01:00') }
  expect(isDue(failed, at('04T01:59'))).toBe(false)
  expect(isDue(failed, at('04T02:00'))).toBe(true)
})
