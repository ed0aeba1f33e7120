/** Deletes items that were sold, and reads the ledgers afterwards. */
import type { Problem } from '#contract/errors.ts'
import type { ItemKind, Ledger } from '#contract/points.ts'
import type { Person, TestApp } from '#server/testing/app.ts'

export function removalsOf(app: TestApp) {
  const of = (kind: ItemKind) => ({
    remove: (as: Person, id: number, query = '') =>
      app.call<Problem & { kbPoints: number }>('DELETE', `/${kind}/${id}${query}`, { as }),
    preview: (as: Person, id: number) => app.call<Problem>('GET', `/${kind}/removal/${id}`, { as }),
    buy: (as: Person, id: number) => app.call('POST', `/${kind}/buy/${id}`, { as }),
  })
  const ledger = async (as: Person) =>
    (await app.call<Ledger>('GET', '/identity/points', { as })).body
  return {
    lesson: of('lesson'),
    course: of('course'),
    ledger,
    pointsOf: async (as: Person) => (await ledger(as)).kbPoints,
    /** Signs up somebody with this many points. */
    rich: async (name: string, points: number) => {
      const person = await app.signUp(name)
      await app.give(person, points)
      return person
    },
  }
}
