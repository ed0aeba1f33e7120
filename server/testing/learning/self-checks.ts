import type { CheckFigures, SelfCheck, Taken } from '#contract/checks.ts'
import type { FormError, Problem } from '#contract/errors.ts'
import type { Question } from '#contract/questions.ts'
import { lessonForm, type Person, type TestApp } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { formOf } from '#server/testing/http/forms.ts'

/** `right` are the indices of the correct answers. */
const ask = (text: string, answers: readonly string[], ...right: number[]): Question => ({
  text,
  answers: answers.map((answer, place) => ({ text: answer, right: right.includes(place) })),
  explanation: `Because of ${text}`,
})
/** The second answer is correct. */
export const CAPITAL = ask('Which is the capital?', ['Plovdiv', 'Sofia', 'Varna'], 1)
/** The first and the third answers are correct. */
export const RIVERS = ask('Which are rivers?', ['Iskar', 'Vitosha', 'Maritsa', 'Rila'], 0, 2)

/** Calls of self-checks on lessons of the author. */
export function checksOf(app: TestApp, author: () => Person) {
  const edit = async (id: number, fields: Readonly<Record<string, string>>, as = author()) => {
    return app.call<FormError[]>('PATCH', `/lesson/${id}`, { as, form: formOf(fields) })
  }
  const send = (id: number, json: unknown, as?: Person) =>
    app.call<Taken & Problem & { check: SelfCheck }>('POST', `/check/${id}`, { as, json })
  const figuresOf = (id: number, as?: Person) =>
    app.call<CheckFigures & Problem>('GET', `/check/${id}/figures`, { as })
  return {
    edit,
    send,
    figuresOf,
    publish: async (questions: readonly Question[] = [CAPITAL, RIVERS]) =>
      (await app.publishLesson(author(), { checks: JSON.stringify(questions) })).id,
    /** Returns the answer to the form of a new lesson. */
    create: async (checks: unknown) => {
      const form = await lessonForm({
        checks: typeof checks === 'string' ? checks : JSON.stringify(checks),
      })
      return app.call<FormError[]>('POST', '/lesson/create', { as: author(), form })
    },
    change: async (id: number, questions: readonly Question[]) => {
      const form = formOf({ checks: JSON.stringify(questions) })
      await done(app, author(), `PATCH /lesson/${id}`, form)
    },
    buy: async (as: Person, id: number) => {
      await done(app, as, `POST /lesson/buy/${id}`)
    },
    show: (id: number, as?: Person) => app.call<SelfCheck & Problem>('GET', `/check/${id}`, { as }),
    take: (id: number, answers: number[][], as = author()): Promise<Taken> =>
      done(app, as, `POST /check/${id}`, { answers }),
    figures: async (id: number): Promise<CheckFigures> => (await figuresOf(id, author())).body,
  }
}
