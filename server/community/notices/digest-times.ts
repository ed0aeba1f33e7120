/** Computes when daily mails are sent: at seven in the morning in the person's time zone. */
import { DIGEST_HOUR } from '#contract/notices.ts'

/** Days with a clock change have 22 to 26 hours, while two mornings of a traveller can be closer together. */
const LEAST_HOURS = 20

export function isZone(zone: string): boolean {
  try {
    Temporal.Now.zonedDateTimeISO(zone)
    // Refuses UTC offsets, which have no daylight saving time.
    return !/^[+-]/.test(zone)
  } catch {
    return false
  }
}

/**
 * Returns the next seven o'clock in a zone after `now`, at least 20 hours after the previous mail was due, so that
 * a traveller doesn't get two in a day. If a clock change skips that hour, returns the following one.
 */
export function nextDigestAt(zone: string, now: Date, last: Date | null): Date {
  const after = Math.max(now.getTime(), (last?.getTime() ?? 0) + LEAST_HOURS * 3_600_000 - 1)
  for (let day = dayOf(zone, after); ; day = day.add({ days: 1 })) {
    const at = hourOf(day, zone)
    if (at > after) return new Date(at)
  }
}

/** Returns the last seven o'clock in a zone before `now`, which is when a late mail was due. */
export function digestTimeOf(zone: string, now: Date): Date {
  for (let day = dayOf(zone, now.getTime()); ; day = day.subtract({ days: 1 })) {
    const at = hourOf(day, zone)
    if (at <= now.getTime()) return new Date(at)
  }
}

const knownZone = (zone: string) => (isZone(zone) ? zone : 'UTC')

const dayOf = (zone: string, at: number): Temporal.PlainDate =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(knownZone(zone)).toPlainDate()

const hourOf = (day: Temporal.PlainDate, zone: string): number =>
  day.toZonedDateTime({ timeZone: knownZone(zone), plainTime: { hour: DIGEST_HOUR } })
    .epochMilliseconds
