import * as z from 'zod/mini'
import type { Course, CourseChoice } from '#contract/courses.ts'
import { Description, Title } from '#contract/lesson-forms.ts'
import { COURSE_LESSONS } from '#contract/limits.ts'
import { message } from '#contract/message.ts'
import type { Text } from '#web/core/i18n.tsx'
import type { DraftOf, SetImage } from '#web/items/shared/form/item-draft.ts'
import { DraftText, NewPicture, Reason, withFallback } from '#web/items/shared/form/item-fields.ts'

/** The id of one of the lessons, whichever is first, or none. */
export type PreviewChoice = number | 'first' | ''

export type CourseValues = {
  title: string
  description: string
  image?: File | undefined
  /** Ids, in order. */
  lessons: number[]
  freePreview: PreviewChoice
  /** Asked of an administrator who edits somebody else's course. */
  reason: string
}

/** The fields' labels, in the order of the form. */
export const labelsOf = (t: Text) => ({
  title: t('title'),
  description: t('description'),
  image: t('picture'),
  lessons: t('lessons'),
  freePreview: t('freePreview'),
  reason: t('reason'),
})

/** A new course opens its first lesson unless its author chooses another or none. */
export const NO_VALUES: CourseValues = {
  title: '',
  description: '',
  image: undefined,
  lessons: [],
  freePreview: 'first',
  reason: '',
}

/** The initial values for an existing course. They hold no picture, because only a new one is sent. */
export const valuesOf = (course: Course): CourseValues => ({
  title: course.title,
  description: course.description,
  image: undefined,
  lessons: course.lessons.map(({ id }) => id),
  freePreview: course.freePreview ?? '',
  reason: '',
})

const DraftValues = z.object({
  title: DraftText,
  description: DraftText,
  lessons: withFallback(z.array(z.number()), []),
  freePreview: withFallback(z.union([z.literal(['', 'first']), z.number()]), 'first'),
})

/** The initial values for a draft. Lessons that were deleted since are left out, and fields of another shape are empty. */
export function valuesOfDraft(
  draft: DraftOf<CourseValues>,
  choices: readonly CourseChoice[],
): CourseValues {
  const living = new Set(choices.map(({ id }) => id))
  const { freePreview, lessons, ...words } = DraftValues.parse(draft)
  return {
    ...NO_VALUES,
    ...words,
    lessons: lessons.filter((id) => living.has(id)),
    freePreview: typeof freePreview === 'number' && !living.has(freePreview) ? '' : freePreview,
  }
}

/** Returns what is sent for the choice: a lesson's id, or empty for none. */
export function previewOf({ freePreview, lessons }: Pick<CourseValues, 'freePreview' | 'lessons'>) {
  return freePreview === 'first' ? (lessons[0] ?? '') : freePreview
}

/** The form itself says how many lessons are missing, so there is no minimum here. */
const Lessons = z.array(z.number()).check(
  z.maxLength(COURSE_LESSONS.max, {
    error: message('maxLessonsMsg', { max: COURSE_LESSONS.max }),
  }),
)

const shape = {
  title: Title,
  description: Description,
  lessons: Lessons,
  freePreview: z.union([z.literal(['', 'first']), z.number()]),
}

const REQUIRED = ['title', 'description'] as const

/** A new course must have a picture. */
export const NEW = {
  schema: z.object({ ...shape, image: NewPicture, reason: z.string() }),
  required: [...REQUIRED, 'image'] as const,
}

/** An edited course may keep its picture. */
export const EDITED = {
  schema: z.object({ ...shape, image: z.optional(z.file()), reason: z.string() }),
  required: REQUIRED,
}

export const ADMIN_RULES = {
  schema: z.object({ ...shape, image: z.optional(z.file()), reason: Reason }),
  required: [...REQUIRED, 'reason'] as const,
}

/** The options decide whether the field is marked as changed and validated. */
export const setImage: SetImage<CourseValues> = (form, image, options) =>
  form.setValue('image', image, options)
