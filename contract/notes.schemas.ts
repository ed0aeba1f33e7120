/** Private notes beside lessons: nobody but their writer ever reads them. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { DraftId, Id, Instant, Page, text } from '#contract/fields.schemas.ts'
import { ById, Search } from '#contract/items.schemas.ts'
import { NOTE, VIDEO_SECONDS } from '#contract/limits.ts'
import { notes as calls } from '#contract/notes.ts'

const error = 'invalidProgress'
/** Of the video. A place beyond any video is taken for its end. */
const Second = z.pipe(
  z.number({ error }).check(z.refine((second) => second >= 0, { error })),
  z.transform((second) => Math.min(VIDEO_SECONDS, Math.floor(second))),
)

const NoteText = text(NOTE, 'noteValMs')

export const Note = z.object({
  id: z.number(),
  lesson: z.number(),
  text: z.string(),
  /** Of the video, where it was when the note was begun; null: it was not played. */
  second: z.nullable(z.number()),
  date: Instant,
  /** When its words were changed; null: never. */
  edited: z.nullable(Instant),
})
export type Note = z.infer<typeof Note>

/** A note among those of all lessons. */
export const ListedNote = z.extend(Note, {
  /** The lesson's title; empty where the lesson is gone. */
  title: z.string(),
  gone: z.boolean(),
})
export type ListedNote = z.infer<typeof ListedNote>

/** `search`: in the note, and in the title of its lesson. */
export const NotesQuery = z.object({ search: Search, page: z.optional(Page) })

const schemas = {
  all: {
    input: NotesQuery,
    answer: z.object({ notes: z.array(ListedNote), total: z.number() }),
    summary: "A page of the caller's own notes, the newest first",
  },
  ofLesson: {
    input: ById,
    answer: z.array(Note),
    summary: "The caller's own notes on a lesson, in the order of the video, then those without",
  },
  create: {
    input: z.object({
      lessonId: Id,
      text: NoteText,
      second: z.optional(Second),
      draftId: DraftId,
    }),
    answer: Note,
    summary: 'Write a note on a lesson that is open to the caller, up to 500 on each',
  },
  edit: {
    input: z.object({ id: Id, text: NoteText }),
    answer: Note,
    summary: 'Change the words of a note of one’s own',
  },
  remove: { input: ById, answer: null, summary: 'Delete a note of one’s own' },
}
export type NotesSchemas = typeof schemas

/** The calls with what judges them, as the server needs them. */
export const notes = endpoints(calls, schemas)
