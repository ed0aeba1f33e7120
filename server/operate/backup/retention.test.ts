/** Tests which archives expire (grandfather-father-son), by properties and by an example year. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findExpired, readRetention } from '#server/operate/backup/retention.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const daily = (count: number) =>
  Array.from({ length: count }, (_, place) => ({
    madeAt: new Date(Date.UTC(2026, 0, 1, 1) + place * DAY_MS),
  }))

test.each(['', '7', '7x', 'd', '-1d', '7d,4d', '0d', '7d;4w', '1d,1w,1m,1d', '99999d'])(
  '"%s" is no valid rule',
  (text) => {
    expect(() => readRetention(text)).toThrow(`"${text}" is no rule of what to keep`)
  },
)

test('a rule names days, weeks and months in any order', () => {
  expect(readRetention('12m, 7d,4w')).toEqual({ days: 7, weeks: 4, months: 12 })
  expect(readRetention('3d')).toEqual({ days: 3, weeks: 0, months: 0 })
})

test('7 days, 4 weeks and 12 months stay of a year of daily backups', () => {
  const all = daily(365)
  const gone = new Set(findExpired(all, readRetention('7d,4w,12m')))
  const left = all
    .filter((item) => !gone.has(item))
    .map(({ madeAt }) => madeAt.toISOString().slice(0, 10))
  expect(left).toEqual(
    // The last days of eleven months, two Sundays, at which weeks end, and seven days.
    `2026-01-31 2026-02-28 2026-03-31 2026-04-30 2026-05-31 2026-06-30 2026-07-31 2026-08-31 2026-09-30 2026-10-31
     2026-11-30 2026-12-13 2026-12-20 2026-12-25 2026-12-26 2026-12-27 2026-12-28 2026-12-29 2026-12-30 2026-12-31`.split(
      /\s+/,
    ),
  )
})

const times = fc.array(
  fc.integer({ min: 0, max: 3 * 365 * DAY_MS }).map((ms) => ({
    madeAt: new Date(Date.UTC(2024, 0, 1) + ms),
  })),
  { maxLength: 60 },
)
const rules = fc
  .record({ days: fc.nat(9), weeks: fc.nat(9), months: fc.nat(14) })
  .filter(({ days, weeks, months }) => days + weeks + months > 0)

test('the newest stays, no more stay than the rule names, and a second run removes nothing', () => {
  fc.assert(
    fc.property(times, rules, (items, rule) => {
      const gone = new Set(findExpired(items, rule))
      const left = items.filter((item) => !gone.has(item))
      expect(left.length).toBeLessThanOrEqual(Math.max(1, rule.days + rule.weeks + rule.months))
      const newest = Math.max(...items.map(({ madeAt }) => madeAt.getTime()))
      if (items.length > 0) expect(left.map(({ madeAt }) => madeAt.getTime())).toContain(newest)
      expect(findExpired(left, rule)).toEqual([])
    }),
  )
})

test('one stays for each of the last days, weeks and months with backups', () => {
  const periods = [
    ['days', (at: Date) => at.toISOString().slice(0, 10)],
    ['weeks', (at: Date) => String(Math.floor((at.getTime() / DAY_MS + 3) / 7))],
    ['months', (at: Date) => at.toISOString().slice(0, 7)],
  ] as const
  fc.assert(
    fc.property(times, rules, (items, rule) => {
      const gone = new Set(findExpired(items, rule))
      const left = items.filter((item) => !gone.has(item))
      for (const [unit, nameOf] of periods) {
        const names = [...new Set(items.map(({ madeAt }) => nameOf(madeAt)))]
        const last = names
          .toSorted((one, other) =>
            unit === 'weeks' ? Number(other) - Number(one) : other < one ? -1 : 1,
          )
          .slice(0, rule[unit])
        const has = new Set(left.map(({ madeAt }) => nameOf(madeAt)))
        expect(last.filter((name) => !has.has(name))).toEqual([])
      }
    }),
  )
})
