import type { CheckFigures, SelfCheck, Taken } from '#contract/checks.ts'
import type { FormError, Problem } from '#contract/errors.ts'
import type { Question } from '#contract/questions.ts'
import { lessonForm, type Person, type TestApp } from '#server/testing/app.ts'

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

const refused = (what: string, status: number, body: unknown) =>
  new Error(`${what} answered ${status}: ${JSON.stringify(body)}`)

/** Calls of self-checks on lessons of the author. */
export function checksOf(app: TestApp, author: () => Person) {
  const edit = async (id: number, fields: Readonly<Record<string, string>>, as = author()) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    return app.call<FormError[]>('PATCH', `/lesson/${id}`, { as, form })
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
      const { status, body } = await edit(id, { checks: JSON.stringify(questions) })
      if (status !== 200) throw refused('the edit', status, body)
    },
    buy: async (as: Person, id: number) => {
      const { status, body } = await app.call('POST', `/lesson/buy/${id}`, { as })
      if (status !== 200) throw refused('the purchase', status, body)
    },
    show: (id: number, as?: Person) => app.call<SelfCheck & Problem>('GET', `/check/${id}`, { as }),
    take: async (id: number, answers: number[][], as = author()): Promise<Taken> => {
      const { status, body } = await send(id, { answers }, as)
      if (status !== 200) throw refused('the attempt', status, body)
      return body
    },
    figures: async (id: number): Promise<CheckFigures> => (await figuresOf(id, author())).body,
  }
}
