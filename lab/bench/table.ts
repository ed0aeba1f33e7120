/** Prints the results of a benchmark as Markdown tables, and writes them as JSON. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { formatTable } from '#lab/markdown.ts'
import { describeMachine } from '#server/testing/machine.ts'
import { medianOf, type Comparison, type Spread } from './rounds.ts'

export interface Section {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly notes: readonly string[]
  /** All measured values, for the JSON file. */
  readonly raw: unknown
}

const OUT = join('node_modules', '.cache', 'bench')

export const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** Prints the machine. `add` prints sections, `end` writes all of them to a file with this prefix. */
export function beginReport(prefix: string) {
  const machine = describeMachine()
  const sections: Section[] = []
  say(
    `Commit ${machine.commit}, ${machine.date} UTC. ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, load ${machine.load.toFixed(1)}; Node ${machine.node}.`,
  )
  const add = (...found: readonly Section[]) => {
    sections.push(...found)
    for (const { title, columns, rows, notes } of found) {
      const list = notes.length === 0 ? [] : ['', ...notes.map((note) => `- ${note}`)]
      say([`### ${title}`, '', formatTable(columns, rows), ...list, ''].join('\n'))
    }
  }
  const end = async (more: Readonly<Record<string, unknown>>) => {
    await mkdir(OUT, { recursive: true })
    const file = join(OUT, `${prefix}${machine.commit}.json`)
    await writeFile(file, JSON.stringify({ machine, ...more, sections }, null, 1))
    say(`Written to ${file}.`)
  }
  return { add, end }
}

export type Report = ReturnType<typeof beginReport>

export const COMPARISON_COLUMNS = [
  'what',
  'ours/s',
  'reference/s',
  'speed ratio',
  'CPU ours',
  'CPU reference',
  'CPU ratio',
  'goal',
]

/** A row of `COMPARISON_COLUMNS`; `goal` is the minimum speed ratio. */
export function comparisonRow(what: string, found: Comparison, goal: number): string[] {
  const wrong = [...found.ours, ...found.reference].reduce((sum, turn) => sum + turn.wrong, 0)
  return [
    wrong === 0 ? what : `${what} (INVALID: ${wrong} wrong answers)`,
    medianOf(found.ours, 'perSecond').toFixed(0),
    medianOf(found.reference, 'perSecond').toFixed(0),
    ranged(found.speed),
    `${medianOf(found.ours, 'cpu').toFixed(3)} ms`,
    `${medianOf(found.reference, 'cpu').toFixed(3)} ms`,
    ranged(found.cpuRatio),
    judged(`≥ ${goal}`, found.speed.median >= goal),
  ]
}

export function judged(aim: string, isReached: boolean): string {
  return `${aim} ${isReached ? 'yes' : 'MISSED'}`
}

/** Formats a median with its range: `1.20 (1.10–1.30)`. */
export function ranged({ median, min, max }: Spread, digits = 2): string {
  return `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`
}

/** Returns a note about the first wrong answer, if there was one. */
export function wrongNotes(what: string, found: Comparison): string[] {
  const first = [...found.ours, ...found.reference].find((turn) => turn.wrong > 0)
  return first === undefined ? [] : [`${what}: wrong answer: ${first.firstWrong}`]
}
