/** Options that `run.ts` passes to each experiment. */
export interface ExperimentOptions {
  readonly tries: number
  /** The same seed gives the same times and choices (`createRandom`). */
  readonly seed: number
  readonly say: (line: string) => void
  /** Only the first try may start after this time (performance.now()). */
  readonly until?: number
}

/** One row of the table. */
export interface Outcome {
  /** A description: "the node is killed (kill -9)". */
  readonly fault: string
  readonly tries: number
  /** Writes answered with success. */
  readonly acknowledged: number
  /** Acknowledged writes that are missing afterwards. Any is a breach. */
  readonly lost: number
  /** Writes found more than once. Any is a breach. */
  readonly doubled: number
  /** Processes of the product that ended on their own. Any is a breach. */
  readonly died: number
  /** For each try, the time in ms from the fault to the first success of a write that started after it. */
  readonly recoveryMs: readonly number[]
  /** A condition or a further number, for the table. */
  readonly note?: string
  /** Other broken promises, such as "3 requests failed". Each fails the run. */
  readonly breaches?: readonly string[]
}

export interface Experiment {
  /** For `--only`. */
  readonly name: string
  /** A line of `--help`. */
  readonly about: string
  /** The default of `--tries`. */
  readonly tries: number
  /** Duration on two idle cores, which determines its share of the time of a whole run. */
  readonly seconds: number
  /** Cleans up after itself, even when it throws. */
  run(options: ExperimentOptions): Promise<Outcome[]>
}

/** Describes the broken promises of an outcome. */
export function breachesOf(outcome: Outcome): string[] {
  const { lost, doubled, died, breaches = [] } = outcome
  return [
    ...(lost > 0 ? [`${lost} lost`] : []),
    ...(doubled > 0 ? [`${doubled} doubled`] : []),
    ...(died > 0 ? [`${died} processes died`] : []),
    ...breaches,
  ]
}

/** Yields the numbers of the tries, from 1, while there is time for another one. */
export function* turnsOf({
  tries,
  until = Number.POSITIVE_INFINITY,
}: Pick<ExperimentOptions, 'tries' | 'until'>): Generator<number> {
  for (let turn = 1; turn <= tries && (turn === 1 || performance.now() < until); turn += 1)
    yield turn
}

/** Groups equal lines: "39 × message call over 5 s". */
export function counted(lines: readonly string[]): string[] {
  return [...new Set(lines)].map((line) => {
    const times = lines.filter((each) => each === line).length
    return times === 1 ? line : `${times} × ${line}`
  })
}

export interface Random {
  /** From 0 to below 1. */
  next(): number
  /** A whole number from `min` to `max`, bounds included. */
  between(min: number, max: number): number
}

/** Pseudo-random numbers (mulberry32). */
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
