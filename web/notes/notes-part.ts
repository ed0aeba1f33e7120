/** One's own notes on a lesson, as a part of the views that place them: guests never load it. */
import { personPart } from '#web/core/router/page-view.ts'

export const ownNotes = personPart('notes/LessonNotes', async () => {
  const { LessonNotes } = await import('#web/notes/LessonNotes.tsx')
  return LessonNotes
})
