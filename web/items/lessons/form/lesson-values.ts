import * as z from 'zod/mini'
import {
  Article,
  Description,
  OpeningText,
  Resources,
  Title,
  Video,
} from '#contract/lesson-forms.ts'
import { type Question, Questions } from '#contract/questions.ts'
import type { OpenLesson } from '#contract/lessons.ts'
import { parseTags } from '#contract/tags.ts'
import { articleProblem } from '#web/items/lessons/article/article-length.ts'
import type { Text } from '#web/core/i18n.tsx'
import type { DraftOf, SetImage } from '#web/items/shared/form/item-draft.ts'
import { DraftText, Reason, withFallback } from '#web/items/shared/form/item-fields.ts'

export type LessonValues = {
  title: string
  description: string
  opening: string
  video: string
  image?: File | undefined
  /** When a lesson is edited, 'drawn' replaces its picture by the drawn cover. */
  cover: 'drawn' | ''
  tags: string[]
  resources: string
  article: string
  checks: Question[]
  /** Asked of an administrator who edits somebody else's lesson. */
  reason: string
}

/** In the order of the form, which is also that of the line that names what is missing. */
export const labelsOf = (t: Text) => ({
  video: t('videoLink'),
  title: t('title'),
  description: t('description'),
  tags: t('tags'),
  article: t('article'),
  image: t('picture'),
  opening: t('opening'),
  resources: t('resource'),
  checks: t('checkLabel'),
  reason: t('reason'),
})

export const NO_VALUES: LessonValues = {
  title: '',
  description: '',
  opening: '',
  video: '',
  image: undefined,
  cover: '',
  tags: [],
  resources: '',
  article: '',
  checks: [],
  reason: '',
}

/** The initial values for an existing lesson. They hold no picture, because only a new one is sent. */
export const valuesOf = (lesson: OpenLesson, questions: readonly Question[]): LessonValues => ({
  title: lesson.title,
  description: lesson.description,
  opening: lesson.opening ?? '',
  video: lesson.videoStart > 0 ? `${lesson.video}?start=${lesson.videoStart}` : lesson.video,
  image: undefined,
  cover: '',
  tags: lesson.tags,
  resources: lesson.resources,
  article: lesson.article,
  checks: [...questions],
  reason: '',
})

const DraftValues = z.object({
  title: DraftText,
  description: DraftText,
  opening: DraftText,
  video: DraftText,
  cover: withFallback(z.enum(['drawn', '']), ''),
  tags: withFallback(z.array(z.string()), []),
  resources: DraftText,
  article: DraftText,
  checks: withFallback(
    z.array(
      z.object({
        text: z.string(),
        answers: z.array(z.object({ text: z.string(), right: z.boolean() })),
        explanation: z.string(),
      }),
    ),
    [],
  ),
})

/** The initial values for a draft. A field that it doesn't have, or has in another shape, is empty. */
export const valuesOfDraft = (draft: DraftOf<LessonValues>): LessonValues => ({
  ...NO_VALUES,
  ...DraftValues.parse(draft),
})

const LongEnough = Article.check(
  z.refine((html) => articleProblem(html) === null, {
    error: ({ input }) => articleProblem(String(input)) ?? 'invalidInput',
  }),
)

const SomeTags = z.pipe(
  z.array(z.string()),
  z.transform((tags: string[], context) => {
    const { list, problem } = parseTags(tags.join(','))
    if (problem !== null) context.issues.push({ code: 'custom', message: problem, input: tags })
    return list
  }),
)

const shape = {
  title: Title,
  description: Description,
  opening: OpeningText,
  video: Video,
  image: z.optional(z.file()),
  cover: z.enum(['drawn', '']),
  tags: SomeTags,
  resources: Resources,
  article: LongEnough,
  checks: Questions,
}

const REQUIRED = ['video', 'title', 'description', 'tags', 'article'] as const

/** Rules for the author's own lesson, new or edited. */
export const OWNER_RULES = {
  schema: z.object({ ...shape, reason: z.string() }),
  required: REQUIRED,
}

export const ADMIN_RULES = {
  schema: z.object({ ...shape, reason: Reason }),
  required: [...REQUIRED, 'reason'] as const,
}

/** The options decide whether the field is marked as changed and validated. */
export const setImage: SetImage<LessonValues> = (form, image, options) =>
  form.setValue('image', image, options)
