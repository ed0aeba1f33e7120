/** Private notes on lessons, which only their writer can read. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { DraftId, Id, Instant, Page, text } from '#contract/fields.ts'
import { ById, Search } from '#contract/items.ts'
import { NOTE, VIDEO_SECONDS } from '#contract/limits.ts'

const error = 'invalidProgress'
/** Position in the video. A position beyond any video is reduced to the maximum. */
const Second = z.pipe(
  z.number({ error }).check(z.refine((second) => second >= 0, { error })),
  z.transform((second) => Math.min(VIDEO_SECONDS, Math.floor(second))),
)

const NoteText = text(NOTE, 'noteValMs')

export const Note = z.object({
  id: z.number(),
  lesson: z.number(),
  text: z.string(),
  /** Position of the video when the note was started. Null if it was not played. */
  second: z.nullable(z.number()),
  date: Instant,
  /** When the text was last edited, or null. */
  edited: z.nullable(Instant),
})
export type Note = z.infer<typeof Note>

export const ListedNote = z.extend(Note, {
  /** The lesson's title. Empty if the lesson was deleted. */
  title: z.string(),
  gone: z.boolean(),
})
export type ListedNote = z.infer<typeof ListedNote>

/** `search` matches the note and the title of its lesson. */
export const NotesQuery = z.object({ search: Search, page: z.optional(Page) })

export const notes = endpoints({
  all: {
    methods: ['GET'],
    path: '/note/all',
    access: 'user',
    scope: 'read',
    input: NotesQuery,
    answer: z.object({ notes: z.array(ListedNote), total: z.number() }),
    summary: "A page of the caller's own notes, the newest first",
  },
  ofLesson: {
    methods: ['GET'],
    path: '/note/lesson/{id}',
    access: 'user',
    scope: 'read',
    input: ById,
    answer: z.array(Note),
    summary: "The caller's own notes on a lesson, in the order of the video, then those without",
  },
  create: {
    methods: ['POST'],
    path: '/note/create/{lessonId}',
    access: 'user',
    scope: 'write',
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
    methods: ['PUT'],
    path: '/note/{id}',
    access: 'user',
    scope: 'write',
    input: z.object({ id: Id, text: NoteText }),
    answer: Note,
    summary: 'Change the words of a note of one’s own',
  },
  remove: {
    methods: ['DELETE'],
    path: '/note/{id}',
    access: 'user',
    scope: 'write',
    input: ById,
    answer: null,
    summary: 'Delete a note of one’s own',
  },
})
