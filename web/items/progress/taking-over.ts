/** When a user signs in, takes over the progress of guests and of older formats. Newer progress on the server wins. */
import { isRecord } from '#web/core/shape.ts'
import { changeStored, readStored } from '#web/core/storage/stored.ts'
import {
  type LocalMarks,
  isLocalMarks,
  NONE,
  LOCAL_KEY,
  withUpdate,
} from '#web/items/progress/marks.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** The assumed age of records without a time. */
const LONG_AGO_MS = 365 * DAY_MS

const isAnything = (stored: unknown): stored is unknown => stored !== null

/** Existing records of `person` are newer, so they stay. */
export function takeOver(person: string): void {
  const found = { ...olderMarks(person), ...readStored(`kb:guest:${LOCAL_KEY}`, isLocalMarks) }
  if (Object.keys(found).length > 0)
    changeStored(`kb:${person}:${LOCAL_KEY}`, isLocalMarks, NONE, (old) => ({
      ...found,
      ...old,
    }))
  forget(`kb:guest:${LOCAL_KEY}`)
}

/** Reads the older format, in which positions and finished lessons were stored separately. */
function olderMarks(person: string): LocalMarks {
  const time = Date.now() - LONG_AGO_MS
  let local = NONE
  for (const key of keysOf(person)) {
    const stored = readStored(key, isAnything)
    for (const place of Array.isArray(stored) ? stored : []) {
      const { lesson, at, of } = isRecord(place) ? place : {}
      if (typeof lesson === 'number' && typeof at === 'number' && typeof of === 'number')
        local = withUpdate(local, lesson, { at, of }, time)
    }
    const { done, last } = isRecord(stored) ? stored : {}
    for (const lesson of Array.isArray(done) ? done : [])
      if (typeof lesson === 'number') local = withUpdate(local, lesson, { done: true }, time)
    if (typeof last === 'number') local = withUpdate(local, last, { opened: true }, time + DAY_MS)
    forget(key)
  }
  return local
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
    // Nothing was stored if storage is forbidden.
  }
}
