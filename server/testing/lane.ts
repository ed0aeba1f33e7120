/** How much of a long experiment runs: all of it in `npm run test:more`, a part of it in `npm test`. */
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    isThorough: boolean
  }
}

/** How many times less `npm test` tries. */
const LESS = 4

/** True in `npm run test:more`. */
export const isThorough = (): boolean => inject('isThorough')

/** How many histories a property is tried with. */
export function countRuns(all: number): number {
  return isThorough() ? all : Math.ceil(all / LESS)
}

/** All of a corpus, or a fourth of it from all its places. */
export function sample<Item>(corpus: readonly Item[]): readonly Item[] {
  return isThorough() ? corpus : corpus.filter((_, place) => place % LESS === 0)
}
