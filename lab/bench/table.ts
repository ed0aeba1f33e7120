/** What a part of the bench found, printed as a Markdown table. */
import { medianOf, type Comparison, type Spread } from './rounds.ts'

export interface Section {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly notes: readonly string[]
  /** Everything measured, for the JSON file. */
  readonly raw: unknown
}

/** A section as Markdown, its columns padded so that it can also be read in a terminal. */
export function formatSection({ title, columns, rows, notes }: Section): string {
  const widths = columns.map((column, place) =>
    Math.max(column.length, ...rows.map((row) => row[place]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, place) => (cells[place] ?? '').padEnd(width)).join(' | ')} |`
  return [
    `### ${title}`,
    '',
    line(columns),
    line(widths.map((width) => '-'.repeat(width))),
    ...rows.map(line),
    ...(notes.length === 0 ? [] : ['', ...notes.map((note) => `- ${note}`)]),
    '',
  ].join('\n')
}

export const COMPARISON_COLUMNS = [
  'what',
  'ours/s',
  'reference/s',
  'speed ratio',
  'CPU ours',
  'CPU reference',
  'CPU ratio',
  'step',
  'goal',
]

/** A row of `COMPARISON_COLUMNS`; `step` and `goal` are the least speed ratios, null where none is set. */
export function comparisonRow(
  what: string,
  found: Comparison,
  aims: { step: number | null; goal: number | null },
): string[] {
  const wrong = [...found.ours, ...found.reference].reduce((sum, turn) => sum + turn.wrong, 0)
  const reached = (aim: number | null) =>
    aim === null ? '' : judged(`≥ ${aim}`, found.speed.median >= aim)
  return [
    wrong === 0 ? what : `${what} (INVALID: ${wrong} wrong answers)`,
    medianOf(found.ours, 'perSecond').toFixed(0),
    medianOf(found.reference, 'perSecond').toFixed(0),
    ranged(found.speed),
    `${medianOf(found.ours, 'cpu').toFixed(3)} ms`,
    `${medianOf(found.reference, 'cpu').toFixed(3)} ms`,
    ranged(found.cpuRatio),
    reached(aims.step),
    reached(aims.goal),
  ]
}

/** The aim with whether it is reached. */
export function judged(aim: string, isReached: boolean): string {
  return `${aim} ${isReached ? 'yes' : 'MISSED'}`
}

/** A median with its range: `1.20 (1.10–1.30)`. */
export function ranged({ median, min, max }: Spread, digits = 2): string {
  return `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`
}

/** What was wrong with the first wrong answer of each side, for the notes. */
export function wrongNotes(what: string, found: Comparison): string[] {
  const first = [...found.ours, ...found.reference].find((turn) => turn.wrong > 0)
  return first === undefined ? [] : [`${what}: wrong answer: ${first.firstWrong}`]
}
