/** Notes that are stored for offline reading. */
import type { Note } from '#contract/notes.ts'
import * as worker from '#web/core/offline/worker-client.ts'
import { isRecord } from '#web/core/shape.ts'

const hasWorkers = () => 'serviceWorker' in navigator

/** Failures are harmless, because everything else works without the copy. */
export async function keepNotes(
  lesson: number,
  notes: readonly Note[],
  person: string,
): Promise<void> {
  if (!hasWorkers()) return
  await worker.keepPart({ part: 'notes', lesson, value: notes, person })
}

/** Null if there are none. */
export async function readKeptNotes(lesson: number): Promise<readonly Note[] | null> {
  if (!hasWorkers()) return null
  const kept = await worker.readKeptPart('notes', lesson)
  return isNotes(kept) ? kept : null
}

const isNotes = (kept: unknown): kept is readonly Note[] =>
  Array.isArray(kept) &&
  kept.every(
    (note) => isRecord(note) && typeof note['id'] === 'number' && typeof note['text'] === 'string',
  )
