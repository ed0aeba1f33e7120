/**
 * `npm run bench -- --call "GET /api/lesson/all?page=7" --as reader`: what the database does for one call or page, with
 * the plan of each statement, on a seeded database of its own. `{n}` stands for a lesson or course, `{person}` for
 * somebody's id and `{uuid}` for a new one.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { preparePlans, recordPlans, type Ran } from './call-plans.ts'
import { PERSONS } from './call-samples.ts'
import { openBenchDatabase, waitForJobs } from './database.ts'
import { createTeller, fillForWalk, fillIn, numberOf } from './plan-walk.ts'
import { buildPages, startProductOn } from './product.ts'

const LESSONS = 10_000
/** Statements of the queue of jobs and of the audit, which runs at the first start. */
const BESIDE = /graphile_worker|audit_runs|with wrong as|pg_constraint|set_config/
/** Until what a call causes in the background has begun. */
const SETTLE_MS = 500

/** Sends the call once unrecorded, so that caches and prepared statements are warm, and once recorded; prints the latter. */
export async function showCall(args: readonly string[]): Promise<void> {
  const valueOf = (name: string) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined)
  const as = PERSONS.find((name) => name === valueOf('--as')) ?? 'guest'
  const body = valueOf('--body')
  const lessons = Number(valueOf('--lessons') ?? LESSONS)
  await buildPages()
  const database = await openBenchDatabase()
  try {
    await fillForWalk(database, lessons)
    const subject = { ...database, logFile: join(database.dataDir, 'postgres.log') }
    await preparePlans(subject)
    const product = await startProductOn(database)
    try {
      const failed: string[] = []
      const tell = createTeller(`http://127.0.0.1:${product.port}`, failed)
      const send = async (n: number) => {
        const sample = {
          call: valueOf('--call') ?? 'GET /',
          as,
          ...(body !== undefined && { body }),
        }
        const filled = fillIn(sample, n, lessons)
        await tell(numberOf(as, n), filled.call, filled.body)
        await sleep(SETTLE_MS)
        await waitForJobs(database)
      }
      await send(1)
      const ran = await recordPlans(subject, () => send(2))
      for (const line of failed) say(`Failed: ${line}`)
      for (const each of ran) if (!BESIDE.test(each.text)) say(describe(each))
    } finally {
      await product.stop()
    }
  } finally {
    await database.stop()
  }
}

const describe = ({ text, took, rowsRead, buffers, isGeneric, plan }: Ran) =>
  [
    `${took.toFixed(2)} ms, ${rowsRead} rows read, ${buffers} buffers${isGeneric ? ', generic plan' : ''}`,
    text.replaceAll(/\s+/g, ' ').trim(),
    ...plan,
    '',
  ].join('\n')

const say = (line: string) => void process.stdout.write(`${line}\n`)
