/** The fields that authors send for a course. */
import * as z from 'zod/mini'
import { emptyAsAbsent, DraftId, Id, Picture } from '#contract/fields.ts'
import { AdministratorsReason, Description, Title } from '#contract/lesson-forms.ts'
import { COURSE_LESSONS } from '#contract/limits.ts'
import { message } from '#contract/message.ts'

const tooFew = message('minLessonsMsg', { min: COURSE_LESSONS.min })
const tooMany = message('maxLessonsMsg', { max: COURSE_LESSONS.max })

/** Ids in order, without duplicates. */
export const CourseLessons = z
  .pipe(
    z.union([z.array(Id), Id], { error: tooFew }),
    z.transform((given) => (Array.isArray(given) ? given : [given])),
  )
  .check(
    z.refine((ids) => ids.length >= COURSE_LESSONS.min, { error: tooFew, abort: true }),
    z.refine((ids) => ids.length <= COURSE_LESSONS.max, { error: tooMany, abort: true }),
    z.refine((ids) => new Set(ids).size === ids.length, { error: 'lessonTwice' }),
  )

/** One of the course's lessons, or empty for none. */
const FreePreview = z.optional(
  z.pipe(
    z.union([z.literal(''), Id], { error: 'invalidId' }),
    z.transform((value) => (value === '' ? null : value)),
  ),
)

export const CourseDraft = z.object({
  title: Title,
  description: Description,
  image: Picture,
  lessons: CourseLessons,
  freePreview: FreePreview,
  draftId: DraftId,
})
export type CourseDraft = z.output<typeof CourseDraft>

export const CourseEdit = z.object({
  id: Id,
  title: z.optional(Title),
  description: z.optional(Description),
  image: z.optional(Picture),
  lessons: z.optional(CourseLessons),
  /** Absent keeps the current one; null removes it. */
  freePreview: FreePreview,
  /** The version that was edited. An outdated version is refused with 409. */
  version: emptyAsAbsent(Id, 'invalidId'),
  reason: AdministratorsReason,
})
export type CourseEdit = z.output<typeof CourseEdit>
