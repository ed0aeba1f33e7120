/** What a call costs, for who reads it: a line, its statements, or the table of all calls. */
import type { Ran } from './call-plans.ts'
import type { PersonName } from './market.ts'
import type { Sent } from './probe.ts'
import { formatSection } from './table.ts'

/** A statement of a request, with what the database did for it. */
export interface Statement extends Sent {
  readonly isAfterAnswer: boolean
  readonly ran: Ran | null
}

/** What a call or page costs. */
export interface Budget {
  readonly call: string
  readonly person: PersonName
  readonly status: number
  readonly perSecond: number
  /** Of a request. */
  readonly bytes: number
  /** Milliseconds of CPU a request. */
  readonly node: number
  readonly database: number
  /** Bytes of the heap a request. */
  readonly allocated: number
  readonly statements: readonly Statement[]
  readonly load: number
  readonly wrong: string
}

const kb = (bytes: number) => `${(bytes / 1024).toFixed(bytes < 10_240 ? 1 : 0)} KB`
const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** A call and what it costs, in a line. */
export function headOf(budget: Budget): string {
  const { call, person, status, node, database, allocated, bytes, perSecond, load, wrong } = budget
  return [
    `${call}, ${person}: ${status}, ${kb(bytes)}`,
    `node ${node.toFixed(3)} ms, PostgreSQL ${database.toFixed(3)} ms of CPU a request, ${kb(allocated)} allocated`,
    `${perSecond.toFixed(0)}/s load average ${load.toFixed(1)}`,
    ...(wrong === '' ? [] : [`INVALID: ${wrong}`]),
  ].join('; ')
}

/** The same with its statements, and with their plans unless `isBrief`. */
export function describeBudget(budget: Budget, isBrief: boolean): string {
  const lines = budget.statements.flatMap(({ text, took, isAfterAnswer, ran }, place) => {
    const facts =
      ran === null
        ? []
        : [
            `${ran.rowsRead} rows read`,
            `${ran.buffers} buffers`,
            `${ran.took.toFixed(2)} ms in the database`,
            ran.isGeneric ? 'generic plan' : 'planned for its values',
          ]
    const took2 = took === null ? 'not answered yet' : `${took.toFixed(2)} ms`
    return [
      `  ${place + 1}. ${isAfterAnswer ? '(after the answer) ' : ''}${[took2, ...facts].join(', ')}`,
      `     ${oneLine(text).slice(0, isBrief ? 100 : 1000)}`,
      ...(isBrief ? [] : (ran?.plan ?? []).map((line) => `       ${line}`)),
    ]
  })
  return [headOf(budget), ...lines, ''].join('\n')
}

/** All calls as a table of docs/performance.md, dearest first. */
export function tableOf(budgets: readonly Budget[], unsampled: readonly string[]): string {
  const costOf = ({ node, database }: Budget) => node + database
  const rows = budgets
    .toSorted((one, other) => costOf(other) - costOf(one))
    .map((budget) => {
      const own = budget.statements.filter(({ isAfterAnswer }) => !isAfterAnswer)
      const sumOf = (field: 'rowsRead' | 'buffers') =>
        budget.statements.reduce((sum, { ran }) => sum + (ran?.[field] ?? 0), 0)
      return [
        `${budget.call}${budget.wrong === '' ? '' : ' (INVALID)'}`,
        budget.person,
        costOf(budget).toFixed(2),
        budget.node.toFixed(2),
        budget.database.toFixed(2),
        `${own.length}${own.length === budget.statements.length ? '' : ` + ${budget.statements.length - own.length}`}`,
        `${sumOf('rowsRead')}`,
        `${sumOf('buffers')}`,
        (budget.allocated / 1024).toFixed(0),
        (budget.bytes / 1024).toFixed(1),
      ]
    })
  return formatSection({
    title: 'What each call costs, dearest first',
    columns: [
      'call',
      'who',
      'CPU ms',
      'node',
      'database',
      'statements',
      'rows read',
      'buffers',
      'KB allocated',
      'KB sent',
    ],
    rows,
    notes: [
      '`npm run bench -- --calls`; one of them with its plans: `npm run bench -- --call "GET /api/lesson/all?page=7"`.',
      'CPU, allocations and bytes are of a request under load, with all that it causes until its jobs are done; statements (those after the answer follow the +), rows and buffers of one request alone.',
      ...(unsampled.length === 0 ? [] : [`Not measured: ${unsampled.join(', ')}.`]),
    ],
    raw: budgets,
  })
}
