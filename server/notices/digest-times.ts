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
 * The next seven o'clock of a zone after `now`, and at least 20 hours after the mail before it, so that a person who
 * travels does not get two on a day. Where clocks skip that hour, it is the one after.
 */
export function nextDigestAt(zone: string, now: Date, last: Date | null): Date {
  const known = isZone(zone) ? zone : 'UTC'
  const after = Math.max(now.getTime(), (last?.getTime() ?? 0) + LEAST_HOURS * 3_600_000 - 1)
  let day = Temporal.Instant.fromEpochMilliseconds(after).toZonedDateTimeISO(known).toPlainDate()
  for (;;) {
    const { epochMilliseconds } = day.toZonedDateTime({
      timeZone: known,
      plainTime: { hour: DIGEST_HOUR },
    })
    if (epochMilliseconds > after) return new Date(epochMilliseconds)
    day = day.add({ days: 1 })
  }
}
