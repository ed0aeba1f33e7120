import fc from 'fast-check'
import { expect, test } from 'vitest'
import { digestTimeOf, isZone, nextDigestAt } from '#server/community/notices/digest-times.ts'

const HOUR_MS = 3_600_000
const zones = Intl.supportedValuesOf('timeZone')
const localOf = (at: Date, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone)

test('every zone has one mail per day, at seven, through all clock changes', () => {
  const now = fc.date({
    min: new Date('2024-01-01'),
    max: new Date('2030-12-31'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(fc.constantFrom(...zones), now, (zone, first) => {
      let at = nextDigestAt(zone, first, null)
      expect(at.getTime()).toBeGreaterThan(first.getTime())
      expect(at.getTime() - first.getTime()).toBeLessThanOrEqual(26 * HOUR_MS)
      for (let day = 0; day < 3; day += 1) {
        const local = localOf(at, zone)
        expect([local.hour, local.minute]).toEqual([7, 0])
        // Whatever the time of day, the mail follows the next morning. The shortest day has 22 hours (Antarctica/Troll).
        const next = nextDigestAt(zone, new Date(at.getTime() + ((day * 11) % 22) * HOUR_MS), at)
        expect(localOf(next, zone).toPlainDate().toString()).toBe(
          local.toPlainDate().add({ days: 1 }).toString(),
        )
        at = next
      }
    }),
    { numRuns: 300, examples: [['Antarctica/Troll', new Date('2030-03-27T07:00:00.000Z')]] },
  )
})

test('a traveller gets no second mail within 20 hours', () => {
  const inSofia = nextDigestAt('Europe/Sofia', new Date('2026-11-25T00:00:00Z'), null)
  expect(inSofia.toISOString()).toBe('2026-11-25T05:00:00.000Z')
  const inNewYork = nextDigestAt('America/New_York', inSofia, inSofia)
  expect(inNewYork.toISOString()).toBe('2026-11-26T12:00:00.000Z')
})

test('an unknown zone is detected and treated as UTC', () => {
  expect(zones.every(isZone)).toBe(true)
  for (const zone of ['', 'Europe/Plovdiv', '+02:00', 'x'.repeat(60)])
    expect(isZone(zone)).toBe(false)
  expect(nextDigestAt('Europe/Plovdiv', new Date('2026-11-25T06:59:59Z'), null).toISOString()).toBe(
    '2026-11-25T07:00:00.000Z',
  )
})

test('a mail that is hours late skips no day', () => {
  const late = fc.integer({ min: 0, max: 23 * 60 + 59 })
  fc.assert(
    fc.property(fc.constantFrom(...zones), late, (zone, minutes) => {
      const due = nextDigestAt(zone, new Date('2026-05-10T12:00:00Z'), null)
      const sent = new Date(due.getTime() + minutes * 60_000)
      const next = nextDigestAt(zone, sent, digestTimeOf(zone, sent))
      expect(localOf(next, zone).toPlainDate().toString()).toBe(
        localOf(due, zone).toPlainDate().add({ days: 1 }).toString(),
      )
    }),
  )
})

test('a mail that is days late counts for the last morning', () => {
  const sent = new Date('2026-05-13T15:00:00Z')
  expect(digestTimeOf('Europe/Sofia', sent).toISOString()).toBe('2026-05-13T04:00:00.000Z')
  expect(digestTimeOf('Europe/Plovdiv', sent).toISOString()).toBe('2026-05-13T07:00:00.000Z')
})
