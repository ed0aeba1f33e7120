/** The notes on a lesson that can be read without a network, beside the lesson. */
import type { Note } from '#contract/notes.ts'
import * as worker from '#web/core/offline/worker-client.ts'
import { isRecord } from '#web/core/shape.ts'

const hasWorkers = () => 'serviceWorker' in navigator

/** Keeps what the person has noted on a lesson. Without it, or without room for it, all else works. */
export async function keepNotes(lesson: number, notes: readonly Note[]): Promise<void> {
  if (!hasWorkers()) return
  await worker.keepNotes(lesson, notes)
}

/** The notes that were kept; null where there are none. */
export async function readKeptNotes(lesson: number): Promise<readonly Note[] | null> {
  if (!hasWorkers()) return null
  const kept = await worker.readKeptNotes(lesson)
  return isNotes(kept) ? kept : null
}

const isNotes = (kept: unknown): kept is readonly Note[] =>
  Array.isArray(kept) &&
  kept.every(
    (note) => isRecord(note) && typeof note['id'] === 'number' && typeof note['text'] === 'string',
  )
