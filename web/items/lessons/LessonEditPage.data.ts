import { checks } from '#contract/checks.ts'
import type { Question } from '#contract/questions.ts'
import { lessons } from '#contract/lessons.ts'
import { type HeadOf, leave, type Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { isOpen, lessonId } from '#web/items/lessons/open-lesson.ts'

export { default as Page } from '#web/items/lessons/LessonEditPage.tsx'

/** Loads the lesson with its questions. @throws a redirect to the list when the viewer may not edit it */
export const loader = (async ({ params, api }) => {
  // Opening the form doesn't count as a view.
  const lesson = await api(lessons.show, { id: lessonId(params['id']) }, { quiet: true })
  if (!lesson.can.edit || !isOpen(lesson)) throw leave(to.lessons())
  const { questions } =
    lesson.inside.questions === 0
      ? { questions: [] }
      : await api(checks.figures, { lessonId: lesson.id }, { quiet: true })
  return { lesson, questions: questions.map(toQuestion) }
}) satisfies Loader<unknown>

/** Leaves out the questions' statistics. */
const toQuestion = ({ text, answers, explanation }: Question): Question => ({
  text,
  answers: answers.map((answer) => ({ text: answer.text, right: answer.right })),
  explanation,
})

/** The title names the lesson, so that tabs can be told apart. Search engines must not list forms. */
export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = ({ lesson }, { t }) => ({
  title: `${t('editLessonTitle')}: ${lesson.title}`,
  hidden: true,
})
