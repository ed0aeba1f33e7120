/**
 * The two looks of a course's page. They stand apart from its component: a module that exports anything else besides
 * components can't be replaced in an open page while one develops.
 */
import type { Course } from '#contract/courses.schemas.ts'
import type { Lesson, OpenLesson } from '#contract/lessons.schemas.ts'
import { courseCertificate } from '#web/certificates/course/certificate-part.ts'
import { type LoadableView, pageView } from '#web/core/router/page-view.ts'
import { coursesBeside, courseTurn, previewOffer } from '#web/courses/details/course-parts.ts'
import { ask } from '#web/items/asking/ask-part.ts'
import { ownActs, ownOffer } from '#web/items/details/own-parts.ts'
import { responses } from '#web/items/details/responses.ts'
import { selfCheck } from '#web/checks/check-part.ts'
import { followAuthor } from '#web/follows/follow-part.ts'
import { like } from '#web/likes/like-part.ts'
import { ownNotes } from '#web/notes/notes-part.ts'
import { ratingsPart } from '#web/ratings/ratings-part.ts'
import { isOpen } from '#web/lessons/open-lesson.ts'

export const locked = pageView(
  'courses/details/CourseLockedPage',
  async () => {
    const { CourseLockedPage } = await import('#web/courses/details/CourseLockedPage.tsx')
    return CourseLockedPage
  },
  [like, followAuthor, ownActs, ownOffer, coursesBeside, ratingsPart],
)
export const open = pageView(
  'courses/details/CourseOpenPage',
  async () => {
    const { CourseOpenPage } = await import('#web/courses/details/CourseOpenPage.tsx')
    return CourseOpenPage
  },
  [
    like,
    followAuthor,
    ownActs,
    ownOffer,
    courseTurn,
    responses,
    ask,
    previewOffer,
    ownNotes,
    selfCheck,
    courseCertificate,
  ],
)

interface CourseAndLesson {
  readonly course: Course
  readonly lesson: Lesson | null
}

/**
 * The lesson that is open on the course's page; null where the course is an offer. Whoever has the course reads its
 * lessons; a free preview is open to everybody. A lesson that somebody bought by itself opens on its own page: of the
 * course they see the offer, with that lesson linked.
 */
export function openedLesson({ course, lesson }: CourseAndLesson): OpenLesson | null {
  const opens =
    lesson !== null && isOpen(lesson) && (course.can.see || course.freePreview === lesson.id)
  return opens ? lesson : null
}

/** The view that the data ask for: the open one for who may read it, else the offer. */
export const viewOf = (data: CourseAndLesson): LoadableView =>
  openedLesson(data) === null ? locked : open
