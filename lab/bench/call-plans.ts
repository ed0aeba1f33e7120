/** Reads the plans of statements from PostgreSQL's log (auto_explain). */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchDatabase } from './database.ts'

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'CTE Name'?: string
  readonly 'Function Name'?: string
  readonly 'Subplan Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Actual Total Time'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly 'Shared Hit Blocks'?: number
  readonly 'Shared Read Blocks'?: number
  readonly Plans?: readonly PlanNode[]
}

export interface Ran {
  readonly text: string
  /** Execution time in ms without planning. */
  readonly took: number
  /** Rows read from tables and indexes, including those that a condition then filtered out. */
  readonly rowsRead: number
  readonly buffers: number
  readonly isGeneric: boolean
  /** One line per node. */
  readonly plan: readonly string[]
}

const SETTINGS = {
  log_analyze: 'on',
  log_buffers: 'on',
  log_timing: 'on',
  log_format: 'json',
  log_min_duration: '0',
}

/** Loads auto_explain into new sessions. It logs nothing yet. */
export async function preparePlans({ client, connection }: BenchDatabase): Promise<void> {
  await client.query(
    `alter database ${connection.database} set session_preload_libraries = 'auto_explain'`,
  )
}

export async function recordPlans(
  { client, dataDir }: BenchDatabase,
  work: () => Promise<void>,
): Promise<Ran[]> {
  const logFile = join(dataDir, 'postgres.log')
  const from = statSync(logFile).size
  const set = async (settings: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(settings))
      await client.query(`alter system set auto_explain.${name} = '${value}'`)
    await client.query('select pg_reload_conf()')
    // Sessions read the setting before their next statement, once the postmaster has notified them.
    await sleep(200)
  }
  await set(SETTINGS)
  try {
    await work()
  } finally {
    await set({ log_min_duration: '-1', log_analyze: 'off' })
  }
  return readRan(readFileSync(logFile).subarray(from).toString())
}

function readRan(log: string): Ran[] {
  const found: Ran[] = []
  let json: string[] | null = null
  let took = 0
  for (const line of [...log.split('\n'), '']) {
    if (json !== null && line.startsWith('\t')) {
      json.push(line.slice(1))
      continue
    }
    if (json !== null) found.push(toRan(json.join('\n'), took))
    const begin = /duration: ([\d.]+) ms {2}plan:$/.exec(line)
    json = begin === null ? null : []
    took = Number(begin?.[1] ?? 0)
  }
  return found
}

function toRan(json: string, took: number): Ran {
  const { Plan: plan, ...rest } = JSON.parse(json) as { 'Query Text': string; Plan: PlanNode }
  const text = rest['Query Text']
  return {
    text,
    took,
    rowsRead: rowsReadBy(plan),
    buffers: buffersOf(plan),
    isGeneric: /\$\d/.test(JSON.stringify(plan)),
    plan: describe(plan, 0),
  }
}

const droppedBy = (node: PlanNode) =>
  (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
const buffersOf = (node: PlanNode) =>
  (node['Shared Hit Blocks'] ?? 0) + (node['Shared Read Blocks'] ?? 0)

function rowsReadBy(node: PlanNode): number {
  const own =
    node['Relation Name'] === undefined || node['Node Type'] === 'ModifyTable'
      ? 0
      : (node['Actual Rows'] + droppedBy(node)) * node['Actual Loops']
  return (node.Plans ?? []).reduce((sum, part) => sum + rowsReadBy(part), Math.round(own))
}

function describe(node: PlanNode, depth: number): string[] {
  const place =
    node['Index Name'] ?? node['Relation Name'] ?? node['CTE Name'] ?? node['Function Name'] ?? ''
  const label = node['Subplan Name'] === undefined ? '' : `${node['Subplan Name']}: `
  const loops = node['Actual Loops']
  const dropped = droppedBy(node)
  const facts = [
    `${node['Actual Rows']} rows${loops === 1 ? '' : ` × ${loops}`}`,
    ...(dropped === 0 ? [] : [`${dropped} dropped`]),
    `${buffersOf(node)} buffers`,
    `${((node['Actual Total Time'] ?? 0) * loops).toFixed(3)} ms`,
  ]
  const line =
    loops === 0
      ? `${label}${node['Node Type']} ${place} (never run)`
      : `${label}${node['Node Type']} ${place} (${facts.join(', ')})`
  return [
    '  '.repeat(depth) + line.replace('  ', ' '),
    ...(loops === 0 ? [] : (node.Plans ?? []).flatMap((part) => describe(part, depth + 1))),
  ]
}
