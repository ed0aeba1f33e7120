/** Kills parts (kill -9) and powers off hosts under load. */
import { setTimeout as sleep } from 'node:timers/promises'
import { counted } from '#lab/faults/experiment.ts'
import { openClient } from '#server/platform/db/pool.ts'
import { createLog } from '#server/kernel/log.ts'
import { killPart, switchOff, switchOn } from './harm.ts'
import { findPrimary } from './parts/patroni.ts'
import { databaseAddresses } from './parts/pgbouncer.ts'
import { repeat, type ClusterExperiment, type Scene } from './scene.ts'

/** Promised limit in ms until writes continue. */
const PRIMARY_MS = 10_000
const HOST_MS = 35_000
/** For faults that only affect requests in progress. */
const MOMENT_MS = 6000
/** Jobs are retried within 20 s. On a busy machine the pictures of a test need the rest. */
const JOBS_MS = 180_000

function killOf(
  name: string,
  what: string,
  fault: string,
  more: Readonly<{ mostMs?: number; ended?: number }>,
): ClusterExperiment {
  const { mostMs = MOMENT_MS, ended = 0 } = more
  return {
    name,
    about: fault,
    tries: 3,
    run: async (scene) => {
      const act = async () => {
        const killed = await killPart(scene.cluster.picture(), what)
        scene.say(`  killed ${killed}`)
      }
      return [await repeat(scene, { fault, mostMs, ended, act })]
    },
  }
}

const host: ClusterExperiment = {
  name: 'host',
  about: 'the host of the primary PostgreSQL loses its power and its cable',
  tries: 2,
  run: async (scene) => {
    let off: string | null = null
    const act = async () => {
      off = await findPrimary(scene.cluster.site.network)
      if (off === null) throw new Error('no PostgreSQL is the primary')
      switchOff(scene.cluster.picture(), off)
      scene.say(`  switched ${off} off`)
    }
    const restore = async () => {
      if (off !== null) switchOn(scene.cluster.picture(), off)
      return null
    }
    return [await repeat(scene, { fault: host.about, mostMs: HOST_MS, act, mend: restore })]
  },
}

/** Checks that every job finishes in time. */
async function checkJobs({ cluster }: Scene): Promise<string[]> {
  const connection = { connectionString: databaseAddresses(cluster.site).direct }
  const client = await openClient(connection, createLog('silent'), 'jobs')
  try {
    let due: string[] = ['unknown']
    for (const end = Date.now() + JOBS_MS; due.length > 0 && Date.now() < end; await sleep(500)) {
      const { rows } = await client.query<{ due: string }>(
        `select concat(task_identifier, ', try ', attempts, ' ', last_error) as due
        from graphile_worker.jobs where run_at <= now() and attempts < max_attempts`,
      )
      due = rows.map((row) => row.due)
    }
    return counted(due).map((words) => `a job was not done after ${JOBS_MS / 1000} s: ${words}`)
  } finally {
    await client.end()
  }
}

/** Jobs of a dead worker are released within this time in ms; see docs/operations.md. */
const FREED_MS = 20_000
const IN_HAND_MS = 15_000

const worker: ClusterExperiment = {
  name: 'worker',
  about: 'the worker killed (kill -9) with a job in hand',
  tries: 3,
  run: async (scene) => {
    const { cluster } = scene
    const connection = { connectionString: databaseAddresses(cluster.site).direct }
    const client = await openClient(connection, createLog('silent'), 'jobs')
    const freed: number[] = []
    const inHand = async () => {
      const { rows } = await client.query<{ id: string; by: string }>(
        'select id, locked_by as by from graphile_worker.jobs where locked_by is not null',
      )
      return rows.map(({ id, by }) => `${id} ${by}`)
    }
    const act = async () => {
      for (const end = Date.now() + IN_HAND_MS; Date.now() < end; await sleep(5))
        if ((await inHand()).length > 0) break
      const killed = await killPart(cluster.picture(), 'worker1')
      scene.say(`  killed ${killed}`)
    }
    const restore = async () => {
      const since = performance.now()
      const held = await inHand()
      for (const end = Date.now() + JOBS_MS; Date.now() < end; await sleep(50))
        if (!(await inHand()).some((each) => held.includes(each))) break
      if (held.length > 0) freed.push(performance.now() - since)
      return null
    }
    const check = async () => {
      const late = freed.filter((ms) => ms > FREED_MS).length
      const words = late > 0 ? [`${late} times jobs were not free after ${FREED_MS / 1000} s`] : []
      return [...words, ...(await checkJobs(scene))]
    }
    try {
      const fault = worker.about
      const outcome = await repeat(scene, {
        fault,
        mostMs: MOMENT_MS,
        ended: 1,
        act,
        mend: restore,
        check,
      })
      const note = `jobs in hand at ${freed.length} of the kills, free again after ${(Math.max(0, ...freed) / 1000).toFixed(1)} s at most`
      return [{ ...outcome, note: `${note}; ${outcome.note ?? ''}` }]
    } finally {
      await client.end()
    }
  },
}

export const kills: readonly ClusterExperiment[] = [
  killOf('node', 'node2', 'a node killed (kill -9)', { ended: 1 }),
  worker,
  killOf('redis', 'redis', 'the primary Redis killed (kill -9)', {}),
  killOf('s3', 's3', 'the S3 server killed (kill -9)', {}),
  killOf('primary', 'primary', 'the primary PostgreSQL killed (kill -9)', { mostMs: PRIMARY_MS }),
  host,
]
