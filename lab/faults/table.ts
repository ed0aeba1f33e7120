/** The outcomes as a Markdown table, for the terminal and docs/reliability.md. */
import { readFileSync, writeFileSync } from 'node:fs'
import { breachesOf, counted, type Outcome } from './experiment.ts'

const COLUMNS = [
  'fault',
  'tries',
  'acknowledged',
  'lost',
  'doubled',
  'died',
  'recovery (median, max)',
  'kept',
] as const

const MOST_KINDS = 5
const MOST_LETTERS = 100

/** The outcomes as a Markdown table, padded so that it can also be read in a terminal. */
export function formatOutcomes(outcomes: readonly Outcome[]): string {
  return formatRows(outcomes.map(toRow))
}

type Row = readonly string[]

const toRow = (outcome: Outcome): Row => [
  outcome.note === undefined ? outcome.fault : `${outcome.fault} (${outcome.note})`,
  ...[outcome.tries, outcome.acknowledged, outcome.lost, outcome.doubled, outcome.died].map(String),
  formatTimes(outcome.recoveryMs),
  formatBreaches(outcome),
]

function formatRows(rows: readonly Row[]): string {
  const widths = COLUMNS.map((column, place) =>
    Math.max(column.length, ...rows.map((row) => row[place]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, place) => (cells[place] ?? '').padEnd(width)).join(' | ')} |`
  return [line(COLUMNS), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join(
    '\n',
  )
}

/** A table is read at a glance: the same words once, long ones cut, and not too many. */
function formatBreaches(outcome: Outcome): string {
  const kinds = counted(breachesOf(outcome))
  if (kinds.length === 0) return 'yes'
  const cut = (words: string) =>
    words.length > MOST_LETTERS ? `${words.slice(0, MOST_LETTERS)}…` : words
  const more = kinds.length > MOST_KINDS ? [`${kinds.length - MOST_KINDS} more kinds`] : []
  const shown = kinds.slice(0, MOST_KINDS).map((words) => cut(words.replaceAll(/[\s|]+/g, ' ')))
  return `NO: ${[...shown, ...more].join('; ')}`
}

/** An outcome in a line, for who watches. */
export function formatOutcome(outcome: Outcome): string {
  const { fault, tries, acknowledged, lost, doubled, died, recoveryMs } = outcome
  return (
    `${fault}: ${tries} tries, ${acknowledged} acknowledged, ${lost} lost, ${doubled} doubled, ${died} died, ` +
    `recovery ${formatTimes(recoveryMs)}, kept: ${formatBreaches(outcome)}`
  )
}

function formatTimes(times: readonly number[]): string {
  if (times.length === 0) return '–'
  const sorted = times.toSorted((one, other) => one - other)
  const seconds = (ms: number | undefined) => `${((ms ?? 0) / 1000).toFixed(2)} s`
  return `${seconds(sorted[Math.floor(sorted.length / 2)])}, ${seconds(sorted.at(-1))}`
}

export interface TableRun {
  /** In a line: commit, machine, load. */
  readonly where: string
  /** Names of the experiments that were done; null for all. */
  readonly only: readonly string[] | null
  readonly outcomes: readonly Outcome[]
}

/**
 * Puts what a run found between the marks that a document has for a command, such as `test:faults`. Of a run of some
 * experiments the rows take the places of their older ones, and a line says which and where. @throws Error without the marks
 */
export function writeTable(file: string, command: string, run: TableRun): void {
  const opening = `<!-- ${command} begins -->`
  const closing = `<!-- ${command} ends -->`
  const old = readFileSync(file, 'utf8')
  const [begin, end] = [old.indexOf(opening), old.indexOf(closing)]
  if (begin === -1 || end < begin) throw new Error(`${file} has no place for the table`)
  const text = textOf(run, old.slice(begin + opening.length, end))
  writeFileSync(file, `${old.slice(0, begin)}${opening}\n\n${text}\n\n${old.slice(end)}`)
}

function textOf({ where, only, outcomes }: TableRun, before: string): string {
  if (only === null) return `${where}\n\n${formatOutcomes(outcomes)}`
  const lines = before.split('\n').filter((line) => line.trim() !== '')
  const own = `Of these ${only.join(', ')}: `
  const said = lines.filter((line) => !line.startsWith('|') && !line.startsWith(own))
  // Without what stands in the first two lines: the names of the columns, and what underlines them.
  const older = lines.filter((line) => line.startsWith('|')).slice(2)
  const cells = older.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
  return `${[...said, `${own}${where}`].join('\n\n')}\n\n${formatRows(placeRows(cells, outcomes))}`
}

/** A new row stands where the first one of its fault stood, or at the end. */
function placeRows(older: readonly Row[], outcomes: readonly Outcome[]): Row[] {
  const rows = [...older]
  for (const outcome of outcomes) {
    const isOld = ([cell = '']: Row) =>
      cell === outcome.fault || cell.startsWith(`${outcome.fault} (`)
    const place = rows.findIndex(isOld)
    if (place === -1) rows.push(toRow(outcome))
    else rows[place] = toRow(outcome)
  }
  return rows
}
