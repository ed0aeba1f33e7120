/** `npm run test:more` runs long experiments completely, `npm test` only a part of them. */
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    isThorough: boolean
  }
}

/** Factor by which `npm test` reduces experiments. */
const LESS = 4

/** True in `npm run test:more`. */
export const isThorough = (): boolean => inject('isThorough')

/** Number of histories for a property test. */
export function countRuns(all: number): number {
  return isThorough() ? all : Math.ceil(all / LESS)
}

/** Returns the whole corpus, or every fourth entry of it. */
export function sample<Item>(corpus: readonly Item[]): readonly Item[] {
  return isThorough() ? corpus : corpus.filter((_, place) => place % LESS === 0)
}
