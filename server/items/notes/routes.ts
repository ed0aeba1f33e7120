import { NOTES_A_MINUTE } from '#contract/limits.ts'
import { notes } from '#contract/notes.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'
import { createRate } from '#server/kernel/limits/rates.ts'
import { createNote, editNote, removeNote } from '#server/items/notes/notes.ts'
import { listNotes, listNotesOf } from '#server/items/notes/store.ts'

export function routes({ db, reads, clock, config }: Core): Route[] {
  const rate = createRate(NOTES_A_MINUTE, config)
  const needs = { db, clock }
  return [
    route(notes.all, ({ viewer }, { search, page = 1 }) =>
      listNotes(reads.of(viewer), viewer.id, { search, page }),
    ),
    route(notes.ofLesson, ({ viewer }, { id }) => listNotesOf(reads.of(viewer), viewer.id, id)),
    route(notes.create, ({ viewer }, note) => {
      rate.count(viewer.id)
      return createNote(needs, viewer, note)
    }),
    route(notes.edit, ({ viewer }, note) => {
      rate.count(viewer.id)
      return editNote(needs, viewer, note)
    }),
    route(notes.remove, async ({ viewer }, { id }) => {
      await removeNote(needs, viewer, id)
      return null
    }),
  ]
}
