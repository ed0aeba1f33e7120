/** The outcomes as a Markdown table, for the terminal and docs/reliability.md. */
import { readFileSync, writeFileSync } from 'node:fs'
import { breachesOf, type Outcome } from './experiment.ts'

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

export function formatOutcomes(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map((outcome) => [
    outcome.note === undefined ? outcome.fault : `${outcome.fault} (${outcome.note})`,
    ...[outcome.tries, outcome.acknowledged, outcome.lost, outcome.doubled, outcome.died].map(
      String,
    ),
    formatTimes(outcome.recoveryMs),
    breachesOf(outcome).join('; ') || 'yes',
  ])
  const widths = COLUMNS.map((column, place) =>
    Math.max(column.length, ...rows.map((row) => row[place]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, place) => (cells[place] ?? '').padEnd(width)).join(' | ')} |`
  return [line(COLUMNS), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join(
    '\n',
  )
}

function formatTimes(times: readonly number[]): string {
  if (times.length === 0) return '–'
  const sorted = times.toSorted((one, other) => one - other)
  const seconds = (ms: number | undefined) => `${((ms ?? 0) / 1000).toFixed(2)} s`
  return `${seconds(sorted[Math.floor(sorted.length / 2)])}, ${seconds(sorted.at(-1))}`
}

const BEGIN = '<!-- test:faults begins -->'
const END = '<!-- test:faults ends -->'

/** Puts `text` between the marks of a document. @throws Error without them */
export function replaceTable(file: string, text: string): void {
  const old = readFileSync(file, 'utf8')
  const [begin, end] = [old.indexOf(BEGIN), old.indexOf(END)]
  if (begin === -1 || end < begin) throw new Error(`${file} has no place for the table`)
  writeFileSync(file, `${old.slice(0, begin)}${BEGIN}\n\n${text}\n\n${old.slice(end)}`)
}
