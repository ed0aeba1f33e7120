/** What the form of a course holds, and when it may be sent. */
import * as z from 'zod/mini'
import type { Course, CourseChoice } from '#contract/courses.ts'
import { Description, Title } from '#contract/lesson-forms.ts'
import { COURSE_LESSONS } from '#contract/limits.ts'
import { message } from '#contract/message.ts'
import type { DraftOf, SetImage } from '#web/items/form/item-draft.ts'
import { NewPicture, Reason } from '#web/items/form/item-fields.ts'

/** As entered. */
export type CourseValues = {
  title: string
  description: string
  image?: File | undefined
  /** Ids, in order. */
  lessons: number[]
  /** One of them; empty: none. */
  freePreview: number | ''
  /** An administrator's, for somebody else's course. */
  reason: string
}

export type CourseDraftValues = DraftOf<CourseValues>

export const NO_VALUES: CourseValues = {
  title: '',
  description: '',
  image: undefined,
  lessons: [],
  freePreview: '',
  reason: '',
}

/** A course that exists as its form starts. The picture is none, because only a new one is sent. */
export const valuesOf = (course: Course): CourseValues => ({
  title: course.title,
  description: course.description,
  image: undefined,
  lessons: course.lessons.map(({ id }) => id),
  freePreview: course.freePreview ?? '',
  reason: '',
})

/** A draft as the form starts with it; lessons that were deleted since are left out. */
export function valuesOfDraft(
  draft: CourseDraftValues,
  choices: readonly CourseChoice[],
): CourseValues {
  const living = new Set(choices.map(({ id }) => id))
  const { freePreview } = draft
  return {
    title: draft.title,
    description: draft.description,
    image: undefined,
    lessons: draft.lessons.filter((id) => living.has(id)),
    freePreview: freePreview !== '' && living.has(freePreview) ? freePreview : '',
    reason: '',
  }
}

/** That there are enough is said by the form itself: it knows how many are still to be chosen. */
const Lessons = z.array(z.number()).check(
  z.maxLength(COURSE_LESSONS.max, {
    error: message('maxLessonsMsg', { max: COURSE_LESSONS.max }),
  }),
)

const shape = {
  title: Title,
  description: Description,
  lessons: Lessons,
  freePreview: z.union([z.literal(''), z.number()]),
}

const REQUIRED = ['title', 'description'] as const

/** For a new course: with a picture. */
export const NEW = {
  schema: z.object({ ...shape, image: NewPicture, reason: z.string() }),
  required: [...REQUIRED, 'image'] as const,
}

/** For an edit: the picture may stay. */
export const EDITED = {
  schema: z.object({ ...shape, image: z.optional(z.file()), reason: z.string() }),
  required: REQUIRED,
}

/** For an administrator's edit of somebody else's course. */
export const EDITED_FOR_OWNER = {
  schema: z.object({ ...shape, image: z.optional(z.file()), reason: Reason }),
  required: [...REQUIRED, 'reason'] as const,
}

/** Sets the picture in the form's values; the options say whether that marks the field as changed and checks it. */
export const setImage: SetImage<CourseValues> = (form, image, options) =>
  form.setValue('image', image, options)
