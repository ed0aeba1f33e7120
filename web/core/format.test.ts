import { expect, test } from 'vitest'
import { createFormats } from '#web/core/format.ts'

test('a time in UTC is written as the same time of a named zone', () => {
  const { formatTime, formatClock } = createFormats('bg')
  for (const date of ['2026-01-02T03:04:59.999Z', '2024-02-29T00:00:00Z', '1999-12-31T23:59:00Z']) {
    // The zone of Reykjavik has been UTC all along.
    expect(formatTime(date, 'UTC')).toBe(formatTime(date, 'Atlantic/Reykjavik'))
    expect(formatClock(date, 'UTC')).toBe(formatClock(date, 'Atlantic/Reykjavik'))
  }
  expect(formatTime('2024-02-29T00:07:00Z', 'UTC')).toBe('29/02/2024 00:07')
})
