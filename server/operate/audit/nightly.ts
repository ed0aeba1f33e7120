/**
 * Runs the audit once a night across all processes, from three o'clock UTC. After a step of t ms it pauses for 19
 * t, so that on average it uses 5 % of one core. Each step has its own snapshot, so that no old one delays vacuum.
 * Progress is stored in the database, and a restart continues from there.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { listRules, proveAlone, proveFiles, type Outcome } from '#server/operate/audit/audit.ts'
import { stepName } from '#server/operate/audit/rules/rule.ts'
import {
  beginRun,
  claimRun,
  finishRun,
  noteStep,
  releaseRun,
  renewClaim,
  type Claimed,
} from '#server/operate/audit/store.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { jobKind, NoPayload, type JobContext } from '#server/platform/jobs/job.ts'
import { utcDay } from '#server/kernel/clock.ts'
import type { Core } from '#server/platform/core/core.ts'

/** Runs every minute, usually without anything to do. */
export const AUDIT_STEP = jobKind('auditStep', NoPayload)

/** In UTC. */
const BEGIN_HOUR_MS = 3 * 60 * 60 * 1000
/** Ratio of pause to work: one part of 20 is work. */
const REST = 19
/**
 * Limit of one call in ms, unless a step takes longer. Several short steps fit into a call, so that each need not
 * wait for the next minute.
 */
const CALL_MS = 5_000
/** Interval in ms at which the claim is renewed while files are listed. */
const RENEW_MS = 30_000
const FILES = 'files'

type Needs = Pick<Core, 'db' | 'storage' | 'clock' | 'log'>

/** Starts tonight's audit if necessary, and runs its due steps. `rest` is the ratio of pause to work. */
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
    // A process that shuts down leaves the next step to others.
    await pause(pauseMs, undefined, { signal }).catch(() => undefined)
  }
}

/** Any process may repeat a failed step after a minute. */
async function attempt<Value>(db: Db, run: Claimed, act: () => Promise<Value>): Promise<Value> {
  try {
    return await act()
  } catch (error) {
    await releaseRun(db, run.night).catch(() => undefined)
    throw error
  }
}

/** Runs the first unfinished step and returns the pause in ms, or null if all are finished. */
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
  // The file listing already paused between its batches.
  const pauseMs = rule === undefined ? 0 : rest * ms
  await noteStep(db, run.night, {
    name: rule === undefined ? FILES : stepName(rule),
    outcomes,
    ms,
    dueAt: new Date(clock.now().getTime() + pauseMs),
  })
  return pauseMs
}

/** Keeps the claim alive while files are listed. */
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
