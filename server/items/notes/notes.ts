import type { ParsedOf } from '#contract/endpoint.ts'
import { NOTES_A_LESSON } from '#contract/limits.ts'
import type { Note, notes } from '#contract/notes.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { lock, lockName } from '#server/platform/db/locks.ts'
import { isThere, rightsOf } from '#server/items/shared/access.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { conflict, forbidden, notFound } from '#server/kernel/errors.ts'
import {
  changeNote,
  deleteNote,
  findDraftNote,
  insertNote,
  readBefore,
} from '#server/items/notes/store.ts'

interface Needs {
  readonly db: Db
  readonly clock: Clock
}

/**
 * Creates a note. A repeated draft returns the existing note.
 * @throws Refusal 404 when there is no such lesson, 403 when the person has no access, 409 when they have reached
 * the limit for the lesson
 */
export function createNote(
  { db, clock }: Needs,
  viewer: Viewer,
  { lessonId, text, second, draftId }: ParsedOf<typeof notes.create>,
): Promise<Note> {
  const userId = viewer.id
  return db.transaction().execute(async (tx) => {
    // Serialises concurrent creates so that each counts the previous ones.
    await lock(tx, lockName.notes(userId))
    const known = draftId === undefined ? null : await findDraftNote(tx, userId, draftId)
    if (known !== null) return known
    const before = await readBefore(tx, userId, lessonId)
    if (before === null || !isThere(viewer, before)) throw notFound('lessonNotFound')
    if (!rightsOf(viewer, before).see) throw forbidden()
    if (before.notes >= NOTES_A_LESSON) throw conflict('notesFull', { max: NOTES_A_LESSON })
    return insertNote(tx, { userId, lessonId, text, second, draftId }, clock.now())
  })
}

/** Edits the viewer's own note. @throws Refusal 404, also for notes of other people */
export async function editNote(
  { db, clock }: Needs,
  viewer: Viewer,
  note: Pick<Note, 'id' | 'text'>,
): Promise<Note> {
  const changed = await changeNote(db, viewer.id, note, clock.now())
  if (changed === null) throw notFound('noteNotFound')
  return changed
}

/** Deletes the viewer's own note. @throws Refusal 404, also for notes of other people */
export async function removeNote({ db }: Pick<Needs, 'db'>, viewer: Viewer, id: number) {
  if (!(await deleteNote(db, viewer.id, id))) throw notFound('noteNotFound')
}
