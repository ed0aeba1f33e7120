/** Prints the outcomes as a table: a row for each target, a column for each set of rules. */
import { formatTable } from '#lab/markdown.ts'
import type { Outcome } from './measure.ts'

interface Column {
  readonly title: string
  readonly outcome: Outcome
}

interface Row {
  readonly name: string
  readonly read: (outcome: Outcome) => number | null
  readonly show: (value: number) => string
  readonly goal?: string
  readonly isMet?: (value: number) => boolean
}

const percent = (part: number) => `${(100 * part).toFixed(1)}%`
const whole = (value: number) => String(Math.round(value))
const farmedOf = ({ farmed }: Outcome) =>
  Object.values(farmed).reduce((sum, points) => sum + points, 0)

const ROWS: readonly Row[] = [
  {
    name: 'points earned by copies of others’ lessons',
    read: ({ copiesEarned }) => copiesEarned,
    show: whole,
    goal: '0',
    isMet: (points) => points === 0,
  },
  {
    name: 'farmed points, of all points made',
    read: (outcome) => farmedOf(outcome) / outcome.made,
    show: percent,
    goal: '≤ 2%',
    isMet: (part) => part <= 0.02,
  },
  {
    name: 'newcomers with a first unlock within 7 days',
    read: ({ unlockedInWeek }) => unlockedInWeek,
    show: percent,
    goal: '≥ 60%',
    isMet: (part) => part >= 0.6,
  },
  {
    name: 'wishes met',
    read: ({ wishesMet }) => wishesMet,
    show: percent,
    goal: '≥ 50%',
    isMet: (part) => part >= 0.5,
  },
  {
    name: 'points spent of those made, last 90 days',
    read: ({ figures }) => figures.spentOfMade,
    show: (part) => part.toFixed(2),
    goal: '0.6–1.1',
    isMet: (part) => part >= 0.6 && part <= 1.1,
  },
  {
    name: 'most of a price that reached another account',
    read: ({ moved }) => moved,
    show: percent,
    goal: '≤ 50%',
    isMet: (part) => part <= 0.5,
  },
  { name: 'returned, of what returners unlocked', read: ({ returned }) => returned, show: percent },
  {
    name: 'of the 20 best rated, by raters',
    read: ({ bestByRaters }) => bestByRaters,
    show: whole,
  },
  {
    name: 'median days to the first unlock',
    read: ({ figures }) => figures.daysToUnlock,
    show: (days) => days.toFixed(1),
  },
  { name: 'rewards withheld', read: ({ figures }) => figures.withheld, show: percent },
  {
    name: 'Gini coefficient',
    read: ({ figures }) => figures.gini,
    show: (value) => value.toFixed(2),
  },
  { name: 'points of the richest 1%', read: ({ figures }) => figures.topShare, show: percent },
  { name: 'points made', read: ({ made }) => made, show: whole },
  { name: 'lessons and courses published', read: ({ lessons }) => lessons, show: whole },
  { name: 'unlocks', read: ({ unlocks }) => unlocks, show: whole },
]

/** The table of the targets, and one of what each kind of farmer got. */
export function report(columns: readonly Column[]): string {
  const titles = columns.map(({ title }) => title)
  const cell = ({ read, show, isMet }: Row, { outcome }: Column) => {
    const value = read(outcome)
    if (value === null) return '–'
    return isMet === undefined ? show(value) : `${show(value)} ${isMet(value) ? '✓' : '✗'}`
  }
  const rows = ROWS.map((row) => [
    row.name,
    row.goal ?? '',
    ...columns.map((column) => cell(row, column)),
  ])
  const kinds = Object.keys(columns[0]?.outcome.farmed ?? {})
  const farmed = kinds.map((kind) => [
    kind,
    ...columns.map(({ outcome }) => whole(outcome.farmed[kind] ?? 0)),
  ])
  return [
    formatTable(['what', 'goal', ...titles], rows),
    formatTable(['points farmed by who', ...titles], farmed),
  ].join('\n\n')
}
