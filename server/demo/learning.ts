import { listCertificate, takeCertificate } from '#server/items/certificates/certificates.ts'
import type { Db } from '#server/platform/db/connect.ts'
import type {
  DemoCertificate,
  DemoNote,
  DemoProgress,
  DemoRating,
} from '#server/demo/content/types.ts'
import { courses } from '#server/demo/content/courses.ts'
import { lessons } from '#server/demo/timeline.ts'
import { draftIdOf } from '#server/demo/troubles.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { createNote } from '#server/items/notes/notes.ts'
import { reportProgress } from '#server/items/progress/reporting.ts'
import { answerRating, rate } from '#server/items/ratings/rating.ts'

interface Needs {
  readonly db: Db
  readonly clock: Clock
}

/** Ids by title. */
type Titles = ReadonlyMap<string, number>

/** @throws Error when the content refers to something that doesn't exist yet */
export function of<Value>(things: ReadonlyMap<string, Value>, name: string): Value {
  const thing = things.get(name)
  if (thing === undefined) throw new Error(`the demo content has no ${name} yet`)
  return thing
}

export async function takeNote(
  needs: Needs,
  viewer: Viewer,
  told: DemoNote,
  lessons: Titles,
): Promise<void> {
  const { by, lesson, daysAgo: _, ...note } = told
  const draftId = draftIdOf(`${lesson} ${by} ${note.text}`)
  await createNote(needs, viewer, { lessonId: of(lessons, lesson), draftId, ...note })
}

export function progress(
  needs: Needs,
  viewer: Viewer,
  given: DemoProgress,
  lessons: Titles,
): Promise<void> {
  const { by: _, lesson, daysAgo: _days, ...told } = given
  return reportProgress(needs, viewer, { lessonId: of(lessons, lesson), opened: true, ...told })
}

/** Takes the certificate of a finished course. Idempotent. */
export async function certify(
  needs: Needs,
  viewer: Viewer,
  { course, name, listed }: DemoCertificate,
  courses: Titles,
): Promise<void> {
  const { code } = await takeCertificate(needs, viewer, { courseId: of(courses, course), name })
  await listCertificate(needs, viewer, { code, listed })
}

const DAY_MS = 24 * 60 * 60 * 1000

/** Rates an item that the person has opened, and adds the author's answer if there is one. */
export async function rateItem(
  needs: Needs,
  viewerOf: (username: string) => Viewer,
  { by, kind, of: title, stars, text, answer }: DemoRating,
  items: Readonly<Record<'lesson' | 'course', Titles>>,
): Promise<void> {
  const id = of(items[kind], title)
  if (kind === 'lesson') await reportProgress(needs, viewerOf(by), { lessonId: id, opened: true })
  const { rating } = await rate(needs, viewerOf(by), kind, { id, stars, text })
  if (answer === undefined) return
  const later = new Date(needs.clock.now().getTime() + answer.daysLater * DAY_MS)
  const author = [...lessons, ...courses].find((item) => item.title === title)?.owner ?? ''
  await answerRating({ ...needs, clock: { now: () => later } }, viewerOf(author), {
    id: rating.id,
    text: answer.text,
  })
}
