/**
 * An embedded database for simulations. Every 30 days it is copied and the agents are stored, so that an interrupted
 * simulation goes on from there: with the same seed the result is the same as without the interruption.
 */
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createLog } from '#server/kernel/log.ts'
import { connect } from '#server/platform/db/connect.ts'
import { startEmbedded } from '#server/platform/db/embedded/embedded.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { migrateQueue } from '#server/platform/jobs/queue.ts'
import { measure, type Outcome } from './measure.ts'
import { RULES } from './rules.ts'
import { begin, liveDay, type Size } from './simulate.ts'
import { type State, World } from './world.ts'

const CHECKPOINT_DAYS = 30
/** Statistics decide the plans of statements, and the tables grow quickly. */
const ANALYZE_DAYS = 10

/** The file of a simulation: its outcome, or the copy of the database from which it goes on, with the agents. */
interface Saved {
  readonly size: Size
  readonly outcome?: Outcome
  readonly database?: string
  readonly state?: State
}

export interface Progress {
  readonly rules: string
  readonly day: number
  readonly acts: number
}

export interface Stage {
  /** Simulates under these rules, or goes on with it. Returns the outcome of an earlier call at once. */
  readonly run: (rules: string, hear: (progress: Progress) => void) => Promise<Outcome>
  readonly close: () => Promise<void>
}

/** Opens the database in a folder. Simulations under several rules may run at once. */
export async function openStage(dataDir: string, size: Size): Promise<Stage> {
  const log = createLog('silent')
  const options = { work: 'migrations', size: 1 } as const
  const server = await startEmbedded({ dataDir, fsync: false })
  const empty = openPool(server.connection, log, options)
  await migrate(empty)
  await migrateQueue(empty, log)
  await empty.end()
  const admin = openPool({ ...server.connection, database: 'postgres' }, log, options)
  const drop = (name: string) => admin.query(`drop database if exists "${name}" with (force)`)
  const copy = async (from: string, to: string) => {
    await drop(to)
    await admin.query(`create database "${to}" template "${from}" strategy file_copy`)
  }
  const fileOf = (rules: string) => join(dataDir, `${rules}.json`)
  const save = async (rules: string, saved: Saved) => {
    await writeFile(`${fileOf(rules)}.new`, JSON.stringify(saved))
    await rename(`${fileOf(rules)}.new`, fileOf(rules))
  }
  const read = async (rules: string): Promise<Saved> => {
    const text = await readFile(fileOf(rules), 'utf8').catch(() => null)
    const saved = text === null ? { size } : (JSON.parse(text) as Saved)
    if (JSON.stringify(saved.size) === JSON.stringify(size)) return saved
    throw new Error(`${dataDir} holds a simulation of another size: ${JSON.stringify(saved.size)}`)
  }

  return {
    run: async (name, hear) => {
      const saved = await read(name)
      const rules = RULES[name]
      if (saved.outcome !== undefined) return saved.outcome
      if (rules === undefined) throw new Error(`there are no rules ${name}`)
      const open = () => connect({ ...server.connection, database: name }, log, options)
      let { database } = saved
      await copy(database ?? server.connection.database, name)
      const state = saved.state ?? begin(size)
      let connection = open()
      let acts = 0
      while (state.day + 1 < size.days) {
        acts += await liveDay(new World({ db: connection.db, rules, state }), size.seed)
        if (state.day % ANALYZE_DAYS === 0) await connection.pool.query('vacuum analyze')
        if (state.day % CHECKPOINT_DAYS !== 0 || state.day === 0) continue
        await connection.close()
        const before = database
        database = `${name} on day ${state.day}`
        await copy(name, database)
        await save(name, { size, database, state })
        if (before !== undefined) await drop(before)
        connection = open()
        hear({ rules: name, day: state.day, acts })
        acts = 0
      }
      const outcome = await measure(connection.db, new World({ db: connection.db, rules, state }))
      await connection.close()
      await save(name, { size, outcome })
      if (database !== undefined) await drop(database)
      await drop(name)
      return outcome
    },
    close: async () => {
      await admin.end()
      await server.stop()
    },
  }
}
