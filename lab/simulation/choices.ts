/** The choices of a seed: the order of the steps, and the faults. */

/** Faults, each with its effect on a request and on a message between nodes. */
export const FAULTS = [
  /** The connection is cut before the request is sent; the message is lost. */
  'lost',
  /** The connection is cut before the answer arrives; the message is lost. */
  'unknown',
  /** The message arrives twice. */
  'twice',
  /** The node dies. */
  'death',
  /** All connections are cut. */
  'restart',
  /** The statement is cancelled if it waits for a lock. */
  'lockTimeout',
  /** The statement fails with a serialization failure. */
  'serialization',
  /** From now on the clock of the node is an hour wrong. */
  'ahead',
  'behind',
] as const
export type Fault = (typeof FAULTS)[number]

export interface Choices {
  /** Returns a number below `count`. */
  choose(count: number): number
  /** Returns the fault for this request or message, or null. `isLast` is true when it ends a transaction. */
  fault(isLast: boolean): Fault | null
}

export interface Chosen {
  /** Which of several possible steps comes next. Without more choices, the one that began first. */
  readonly order: readonly number[]
  /** Faults by the number of the request. */
  readonly faults: readonly { readonly at: number; readonly fault: Fault }[]
}

export const UNDISTURBED: Choices = { choose: () => 0, fault: () => null }

/** Reads the choices from lists. Without more of them, it is always the first. */
export function choicesOf({ order, faults }: Chosen): Choices {
  let choices = 0
  let requests = 0
  const left = new Set(faults)
  return {
    choose: (count) => (order[choices++] ?? 0) % count,
    fault: (isLast) => {
      const place = requests++
      // An unknown outcome matters at the end of a transaction.
      const found = [...left].find(({ at, fault: kind }) =>
        kind === 'unknown' ? at <= place && isLast : at === place,
      )
      if (found === undefined) return null
      left.delete(found)
      return found.fault
    },
  }
}
