/** What an experiment of `npm run test:faults` is: a fault done to the real product, and what it cost. */

/** Given to each experiment by `run.ts`. */
export interface ExperimentOptions {
  /** How often the fault is done. */
  readonly tries: number
  /** The same seed gives the same moments and choices (`createRandom`). */
  readonly seed: number
  /** A line for who watches. */
  readonly say: (line: string) => void
  /** The moment (performance.now()) after which no try begins but the first; none unless given. */
  readonly until?: number
}

/** One row of the table. */
export interface Outcome {
  /** In words: "the node is killed (kill -9)". */
  readonly fault: string
  readonly tries: number
  /** Writes that were answered with success. */
  readonly acknowledged: number
  /** Acknowledged, and not there afterwards. Any is a breach. */
  readonly lost: number
  /** There more than once. Any is a breach. */
  readonly doubled: number
  /** Processes of the product that ended and should not have. Any is a breach. */
  readonly died: number
  /** Of each try, milliseconds from the fault to the first success of what began after it; empty: not measured. */
  readonly recoveryMs: readonly number[]
  /** A condition or a further number, for the table. */
  readonly note?: string
  /** What else was promised and not kept, in words; each fails the run: "3 requests failed". */
  readonly breaches?: readonly string[]
}

export interface Experiment {
  /** For `--only`: a word in lower case with hyphens. */
  readonly name: string
  /** What it does, in a line of `--help`. */
  readonly about: string
  /** How often without `--tries`: what a few minutes allow. */
  readonly tries: number
  /** What these take on a machine of two cores that does nothing else; its share of the time of a whole run. */
  readonly seconds: number
  /** Cleans up after itself, also when it throws. */
  run(options: ExperimentOptions): Promise<Outcome[]>
}

/** What of an outcome fails the run, in words; empty for a good one. */
export function breachesOf(outcome: Outcome): string[] {
  const { lost, doubled, died, breaches = [] } = outcome
  return [
    ...(lost > 0 ? [`${lost} lost`] : []),
    ...(doubled > 0 ? [`${doubled} doubled`] : []),
    ...(died > 0 ? [`${died} processes died`] : []),
    ...breaches,
  ]
}

/** The numbers of the tries, from 1, while there is time for one more. */
export function* turnsOf({
  tries,
  until = Number.POSITIVE_INFINITY,
}: Pick<ExperimentOptions, 'tries' | 'until'>): Generator<number> {
  for (let turn = 1; turn <= tries && (turn === 1 || performance.now() < until); turn += 1)
    yield turn
}

/** The same words once, with how often: "39 × message call over 5 s". */
export function counted(lines: readonly string[]): string[] {
  return [...new Set(lines)].map((line) => {
    const times = lines.filter((each) => each === line).length
    return times === 1 ? line : `${times} × ${line}`
  })
}

export interface Random {
  /** From 0 up to, not with, 1. */
  next(): number
  /** A whole number from `min` to `max`, both possible. */
  between(min: number, max: number): number
}

/** Numbers that only look random: a seed gives the same ones again (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed | 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return { next, between: (min, max) => min + Math.floor(next() * (max - min + 1)) }
}
