/** When a daily mail goes: at seven in the morning where its person lives. */
import { DIGEST_HOUR } from '#contract/notices.ts'

/** Days are 23 to 25 hours long where clocks are changed; who travels has two mornings closer than that. */
const LEAST_HOURS = 20

/** Whether there is a time zone of this name. */
export function isZone(zone: string): boolean {
  try {
    Temporal.Now.zonedDateTimeISO(zone)
    // An offset is none: it knows no summer.
    return !/^[+-]/.test(zone)
  } catch {
    return false
  }
}

/**
 * The next seven o'clock of a zone after `now`, and at least 20 hours after the time that the mail before it was for, so that a person who
 * travels does not get two on a day. Where clocks skip that hour, it is the one after.
 */
export function nextDigestAt(zone: string, now: Date, last: Date | null): Date {
  const after = Math.max(now.getTime(), (last?.getTime() ?? 0) + LEAST_HOURS * 3_600_000 - 1)
  for (let day = dayOf(zone, after); ; day = day.add({ days: 1 })) {
    const at = hourOf(day, zone)
    if (at > after) return new Date(at)
  }
}

/** The newest seven o'clock of a zone until `now`: what a mail is for that went hours later. */
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
