/** What people write for themselves beside lessons. */
import type { ParsedOf } from '#contract/endpoint.ts'
import { NOTES_A_LESSON } from '#contract/limits.ts'
import type { Note, notes } from '#contract/notes.ts'
import type { Db } from '#server/db/connect.ts'
import { lock, lockName } from '#server/db/locks.ts'
import { isThere, rightsOf } from '#server/items/access.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { conflict, forbidden, notFound } from '#server/kernel/errors.ts'
import {
  changeNote,
  deleteNote,
  findDraftNote,
  insertNote,
  readBefore,
} from '#server/notes/store.ts'

interface Needs {
  readonly db: Db
  readonly clock: Clock
}

/**
 * Writes a note; a draft that comes again answers what it became.
 *
 * @throws Refusal 404 where there is no such lesson, 403 where it is not open to the person, 409 where they have as
 * many notes on it as there may be
 */
export function createNote(
  { db, clock }: Needs,
  viewer: Viewer,
  { lessonId, text, second, draftId }: ParsedOf<typeof notes.create>,
): Promise<Note> {
  const userId = viewer.id
  return db.transaction().execute(async (tx) => {
    // Of many at once each counts those before it.
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

/** Changes the words of one's own note. @throws Refusal 404, of another's note too */
export async function editNote(
  { db, clock }: Needs,
  viewer: Viewer,
  note: Pick<Note, 'id' | 'text'>,
): Promise<Note> {
  const changed = await changeNote(db, viewer.id, note, clock.now())
  if (changed === null) throw notFound('noteNotFound')
  return changed
}

/** Deletes one's own note. @throws Refusal 404, of another's note too */
export async function removeNote({ db }: Pick<Needs, 'db'>, viewer: Viewer, id: number) {
  if (!(await deleteNote(db, viewer.id, id))) throw notFound('noteNotFound')
}
