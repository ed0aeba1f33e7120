/**
 * A market of lessons, courses and people that is filled once and stored between runs, so that a measurement begins
 * within seconds, and a copy of it for each run, so that what a run writes is not there in the next.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '#server/db/embedded/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { READ } from './api.ts'
import type { BenchDatabase } from './database.ts'
import { authorId, fillBuyers, fillLessons, fillPeople, type Buyer } from './fill.ts'
import { fillMarket, type MarketSize } from './fill-market.ts'
import { fillReader } from './fill-reader.ts'

/** People who bought the lessons up to READ, and take turns. */
const CROWD = 199
/** The database that a run works on. */
const COPY = 'run'
const MIGRATIONS = join(import.meta.dirname, '..', '..', 'server', 'db', 'migrations')

/** Bought the lessons up to READ, on which comments stand. */
export const READER: Buyer = { userId: uuidOf('reader1'), sessionId: uuidOf('session of reader1') }

export type Market = BenchDatabase & MarketSize

/**
 * Opens a copy of the market of a size, which is filled when there is none yet in `folder`, where markets are stored.
 * @throws when another run uses it
 */
export async function openMarket(
  size: MarketSize,
  folder: string = join('node_modules', '.cache', 'bench'),
): Promise<Market> {
  const dataDir = resolve(folder, `market-${size.lessons}-${size.courses}`)
  const filled = join(dataDir, `filled-${versionOfFill()}`)
  if (!existsSync(filled)) await rm(dataDir, { recursive: true, force: true })
  const server = await startEmbedded({ dataDir })
  if (!server.owned) throw new Error('Another run uses the market of this folder; wait for it.')
  if (!existsSync(filled)) {
    await fill(server.connection, size)
    await writeFile(filled, '')
  }
  const admin = new pg.Client({ ...server.connection, database: 'postgres' })
  await admin.connect()
  await admin.query(`drop database if exists ${COPY} with (force)`)
  await admin.query(`create database ${COPY} template bazaar strategy file_copy`)
  await admin.end()
  const connection = { ...server.connection, database: COPY }
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(`update sessions set expires_at = now() + interval '30 days'`)
  await client.query('analyze')
  const { rows } = await client.query<{ server_version: string }>('show server_version')
  return {
    ...size,
    dataDir,
    connection,
    client,
    version: rows[0]?.server_version ?? '',
    stop: async () => {
      await client.end()
      await server.stop()
    },
  }
}

/** Another migration or another filling makes another market. */
function versionOfFill(): string {
  const hash = createHash('sha1')
  const folder = import.meta.dirname
  for (const file of ['fill.ts', 'fill-market.ts', 'fill-reader.ts', 'market.ts'])
    hash.update(readFileSync(join(folder, file)))
  for (const file of readdirSync(MIGRATIONS).toSorted())
    hash.update(readFileSync(join(MIGRATIONS, file)))
  return hash.digest('hex').slice(0, 10)
}

async function fill(connection: pg.ClientConfig, size: MarketSize): Promise<void> {
  const pool = new pg.Pool({ ...connection, max: 1 })
  await migrate(pool)
  await pool.end()
  const client = new pg.Client(connection)
  await client.connect()
  await fillPeople(client)
  await fillLessons(client, 1, size.lessons)
  await fillMarket(client, size)
  await fillReader(client, READ)
  await fillBuyers(client, CROWD, 'crowd')
  await client.query(
    `insert into lesson_purchases (user_id, lesson_id, price)
     select md5('crowd' || p)::uuid, n, 100 from generate_series(1, $1::int) p, generate_series(1, $2::int) n`,
    [CROWD, READ],
  )
  const [administrator] = await fillBuyers(client, 1, 'administrator')
  await client.query(`update users set role = 'administrator' where id = $1`, [
    administrator?.userId,
  ])
  await client.query(
    `insert into sessions (id, user_id, expires_at) values ($1, $1, now() + interval '30 days')`,
    [authorId(1)],
  )
  // Nothing is left for jobs to do that would be measured beside a call.
  await client.query(`update pictures set look_at = now() + interval '1000 days'`)
  await client.query(`update comments set prediction = 'NEUTRAL', text_folded = lower(text)`)
  for (const contents of ['lesson_contents', 'course_contents'])
    await client.query(
      `update ${contents} set language = case when title ~* '^[а-я]' then 'bg' else 'en' end`,
    )
  await client.query('vacuum (analyze)')
  await client.end()
}

function uuidOf(text: string): string {
  const digest = createHash('md5').update(text).digest('hex')
  return digest.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
