/**
 * What a browser kept before its person signed in, or before the server knew of progress, becomes theirs: once, as if
 * they told it now. Where the server knows something newer, that stays.
 */
import { isRecord } from '#web/core/shape.ts'
import { changeStored, readStored } from '#web/core/storage/stored.ts'
import { type AllTold, isTold, NONE, TOLD, withSaid } from '#web/progress/marks.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Of what has no time of its own. */
const LONG_AGO_MS = 365 * DAY_MS

const isAnything = (stored: unknown): stored is unknown => stored !== null

/** Moves it to what `person` told; what stands there already is newer. */
export function takeOver(person: string): void {
  const found = { ...olderMarks(person), ...readStored(`kb:guest:${TOLD}`, isTold) }
  if (Object.keys(found).length > 0)
    changeStored(`kb:${person}:${TOLD}`, isTold, NONE, (old) => ({ ...found, ...old }))
  forget(`kb:guest:${TOLD}`)
}

/** Places and done marks as browsers stored them until now, of guests and of this person. */
function olderMarks(person: string): AllTold {
  const time = Date.now() - LONG_AGO_MS
  let told = NONE
  for (const key of keysOf(person)) {
    const stored = readStored(key, isAnything)
    for (const place of Array.isArray(stored) ? stored : []) {
      const { lesson, at, of } = isRecord(place) ? place : {}
      if (typeof lesson === 'number' && typeof at === 'number' && typeof of === 'number')
        told = withSaid(told, lesson, { at, of }, time)
    }
    const { done, last } = isRecord(stored) ? stored : {}
    for (const lesson of Array.isArray(done) ? done : [])
      if (typeof lesson === 'number') told = withSaid(told, lesson, { done: true }, time)
    if (typeof last === 'number') told = withSaid(told, last, { opened: true }, time + DAY_MS)
    forget(key)
  }
  return told
}

function keysOf(person: string): readonly string[] {
  try {
    return Object.keys(localStorage).filter((key) =>
      [person, 'guest'].some(
        (name) => key === `kb:${name}:places` || key.startsWith(`kb:${name}:course:`),
      ),
    )
  } catch {
    return []
  }
}

function forget(key: string): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // Without storage nothing was stored.
  }
}
