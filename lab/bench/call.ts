/**
 * `npm run bench -- --call "GET /api/lesson/all?page=7"` shows the statements of one call or page with their
 * plans.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { preparePlans, recordPlans, type Ran } from './call-plans.ts'
import { openBenchDatabase, startProductOn, waitForJobs } from './database.ts'
import { createTeller, fillForWalk, fillIn, numberOf } from './plan-walk.ts'
import { say } from './table.ts'
import { PERSONS } from './walk-calls.ts'

const LESSONS = 10_000
/** Statements of the job queue, and of the audit at the first start. */
const BESIDE = /graphile_worker|audit_runs|economy_days|with wrong as|pg_constraint|set_config/
/** Background work of a call starts within this time in ms. */
const SETTLE_MS = 500

interface CallOptions {
  readonly as?: string | undefined
  readonly body?: string | undefined
  readonly lessons?: string | undefined
}

/** Sends the call twice and prints the second one, whose caches and prepared statements are warm. */
export async function showCall(call: string, options: CallOptions): Promise<void> {
  const as = PERSONS.find((name) => name === options.as) ?? 'guest'
  const { body } = options
  const lessons = Number(options.lessons ?? LESSONS)
  const database = await openBenchDatabase()
  try {
    await fillForWalk(database, lessons)
    await preparePlans(database)
    const product = await startProductOn(database)
    try {
      const failed: string[] = []
      const tell = createTeller(product.url, failed)
      const send = async (n: number) => {
        const filled = fillIn({ call, as, ...(body !== undefined && { body }) }, n, lessons)
        await tell(numberOf(as, n), filled.call, filled.body)
        await sleep(SETTLE_MS)
        await waitForJobs(database)
      }
      await send(1)
      const ran = await recordPlans(database, () => send(2))
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
