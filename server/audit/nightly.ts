/**
 * The nightly audit: once a night over all processes, from three o'clock UTC. After a step that took t milliseconds the
 * next is not begun for 19 t, so that on average it takes 5 % of a core, however many rows there are; each step runs on
 * one core and reads a snapshot of its own, so that no old one holds up vacuums. What is through stands in the
 * database: a restart goes on where it was.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { listRules, proveAlone, proveFiles, type Outcome } from '#server/audit/audit.ts'
import { stepName } from '#server/audit/rules/rule.ts'
import {
  beginRun,
  claimRun,
  finishRun,
  noteStep,
  releaseRun,
  renewClaim,
  type Claimed,
} from '#server/audit/store.ts'
import type { Db } from '#server/db/connect.ts'
import { jobKind, NoPayload, type JobContext } from '#server/jobs/job.ts'
import { utcDay } from '#server/kernel/clock.ts'
import type { Core } from '#server/kernel/core.ts'

/** Runs every minute; mostly there is nothing to do. */
export const AUDIT_STEP = jobKind('auditStep', NoPayload)

/** UTC. */
const BEGIN_HOUR_MS = 3 * 60 * 60 * 1000
/** Of 20 parts of the time one is work. */
const REST = 19
/** Milliseconds of one call at most, but for a step that takes longer: short steps need not wait a minute each. */
const CALL_MS = 5_000
/** Milliseconds between two renewals of the claim while files are listed. */
const RENEW_MS = 30_000
const FILES = 'files'

type Needs = Pick<Core, 'db' | 'storage' | 'clock' | 'log'>

/**
 * Begins the audit of this night unless it was, and does the steps of it that are due. `rest`: how many times longer than
 * it works it rests.
 */
export async function auditStep(
  core: Needs,
  { signal }: Pick<JobContext, 'signal'>,
  rest = REST,
): Promise<void> {
  const { db, clock } = core
  const now = clock.now()
  await beginRun(db, utcDay(new Date(now.getTime() - BEGIN_HOUR_MS)), now)
  const stopAt = performance.now() + CALL_MS
  while (!signal.aborted) {
    const run = await claimRun(db, clock.now())
    if (run === null) return
    const pauseMs = await attempt(db, run, () => doNext(core, run, { signal, rest }))
    if (pauseMs === null) return report(core, run)
    if (performance.now() + pauseMs > stopAt) return
    // A process that stops leaves what is next to others.
    await pause(pauseMs, undefined, { signal }).catch(() => undefined)
  }
}

/** A step that failed is begun again in a minute, by whoever comes first. */
async function attempt<Value>(db: Db, run: Claimed, act: () => Promise<Value>): Promise<Value> {
  try {
    return await act()
  } catch (error) {
    await releaseRun(db, run.night).catch(() => undefined)
    throw error
  }
}

/** Does the first step that is not done, and answers for how many milliseconds to rest; null where all are done. */
async function doNext(
  core: Needs,
  run: Claimed,
  { signal, rest }: { readonly signal: AbortSignal; readonly rest: number },
): Promise<number | null> {
  const { db, clock } = core
  const rules = await listRules(db)
  const rule = rules.find((each) => !run.done.includes(stepName(each)))
  if (rule === undefined && run.done.includes(FILES)) return null
  const began = performance.now()
  const outcomes: Outcome[] =
    rule === undefined
      ? await proveFiles(core, { ...renewing(db, run), rest, signal })
      : [await proveAlone(db, rule, true)]
  const ms = performance.now() - began
  // The listing of files has rested by itself.
  const pauseMs = rule === undefined ? 0 : rest * ms
  await noteStep(db, run.night, {
    name: rule === undefined ? FILES : stepName(rule),
    outcomes,
    ms,
    dueAt: new Date(clock.now().getTime() + pauseMs),
  })
  return pauseMs
}

/** While files are listed the claim must not end. */
function renewing(db: Db, run: Claimed) {
  let renewed = performance.now()
  return {
    hear: async () => {
      if (performance.now() - renewed < RENEW_MS) return
      renewed = performance.now()
      await renewClaim(db, run.night)
    },
  }
}

async function report({ db, clock, log }: Needs, run: Claimed): Promise<void> {
  const result = await finishRun(db, run.night, clock.now())
  if (result === null) return
  const { findings, unproved, steps, spentMs } = result
  if (findings.length === 0 && unproved.length === 0)
    log.info({ steps, spentMs }, 'the audit found the database and its files well')
  else
    log.error(
      { findings, unproved, steps, spentMs },
      'the audit found what is wrong: see Audit at the desk, or npm run audit',
    )
}
