/** Reports the outcomes of `npm run test:faults` and `npm run test:cluster`. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatTable } from '#lab/markdown.ts'
import { describeMachine, type Machine } from '#server/testing/machine.ts'
import { breachesOf, counted, type Outcome } from './experiment.ts'

const OUT = join('node_modules', '.cache', 'faults')
const COLUMNS = [
  'fault',
  'tries',
  'acknowledged',
  'lost',
  'doubled',
  'died',
  'recovery (median, max)',
  'kept',
]
const MOST_KINDS = 5
const MOST_LETTERS = 100

export interface Report {
  readonly machine: Machine
  /** Commit, seed and machine on one line. */
  readonly where: string
}

/** Starts a report; `more` is appended to its first line. */
export function beginReport(seed: number, more: string): Report {
  const machine = describeMachine()
  const where =
    `Commit ${machine.commit}, ${machine.date} UTC, seed ${seed}. ${machine.cpu}, ${machine.cores} cores, ` +
    `${machine.memoryGb} GB, load ${machine.load.toFixed(1)} at the start; ${more}.`
  say(`${where}\n`)
  return { machine, where }
}

export const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** Prints and stores the outcomes. */
export function endReport(
  { machine, where }: Report,
  command: 'test:faults' | 'test:cluster',
  outcomes: readonly Outcome[],
): void {
  const table = formatTable(COLUMNS, outcomes.map(toRow))
  say(`\n${table}\n`)
  mkdirSync(OUT, { recursive: true })
  const file = join(OUT, `${command.replace(':', '-')}-${machine.commit}.json`)
  writeFileSync(file, JSON.stringify({ machine, where, outcomes }, null, 1))
  say(`Written to ${file}.`)
  if (outcomes.some((outcome) => breachesOf(outcome).length > 0)) process.exitCode = 1
}

/** The outcome of an experiment that could not run, which fails the run. */
export function notDone(fault: string, why: unknown): Outcome {
  const words = why instanceof Error ? why.message : String(why)
  const none = { tries: 0, acknowledged: 0, lost: 0, doubled: 0, died: 0, recoveryMs: [] }
  const breach = `not done: ${words.replaceAll(/\s+/g, ' ').slice(0, 300)}`
  return { fault, ...none, breaches: [breach] }
}

function toRow(outcome: Outcome): string[] {
  const { fault, note, tries, acknowledged, lost, doubled, died, recoveryMs } = outcome
  return [
    note === undefined ? fault : `${fault} (${note})`,
    ...[tries, acknowledged, lost, doubled, died].map(String),
    formatTimes(recoveryMs),
    formatBreaches(outcome),
  ]
}

/** Returns "yes", or a few distinct breaches, shortened. */
function formatBreaches(outcome: Outcome): string {
  const kinds = counted(breachesOf(outcome))
  if (kinds.length === 0) return 'yes'
  const cut = (words: string) =>
    words.length > MOST_LETTERS ? `${words.slice(0, MOST_LETTERS)}…` : words
  const more = kinds.length > MOST_KINDS ? [`${kinds.length - MOST_KINDS} more kinds`] : []
  const shown = kinds.slice(0, MOST_KINDS).map((words) => cut(words.replaceAll(/[\s|]+/g, ' ')))
  return `NO: ${[...shown, ...more].join('; ')}`
}

export function sayOutcome(outcome: Outcome): void {
  const [fault = '', ...cells] = toRow(outcome)
  say(`  ${fault}: ${cells.map((cell, place) => `${COLUMNS[place + 1]} ${cell}`).join(', ')}`)
}

function formatTimes(times: readonly number[]): string {
  if (times.length === 0) return '–'
  const sorted = times.toSorted((one, other) => one - other)
  const seconds = (ms = 0) => `${(ms / 1000).toFixed(2)} s`
  return `${seconds(sorted[Math.floor(sorted.length / 2)])}, ${seconds(sorted.at(-1))}`
}
