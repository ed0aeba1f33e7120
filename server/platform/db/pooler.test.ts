import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '#server/platform/db/settings.ts'
import { startLonePostgres } from '#server/testing/lone-postgres.ts'
import { hasPgBouncer, startPgBouncer } from '#server/testing/pgbouncer.ts'

const server = await startLonePostgres()
afterAll(() => server.remove())

const NONE = { DATABASE_DIRECT_URL: undefined, DATABASE_REPLICA_URL: undefined, DATA_DIR: '' }

interface Way {
  readonly mode: 'session' | 'transaction'
  readonly size?: number
  readonly prepare: '0' | '1'
  /** Bypasses the pooler. */
  readonly direct?: boolean
}

/** Returns what the start says about a server behind a pooler, or `well` if it continues. */
async function startBehind({ mode, size = 5, prepare, direct = false }: Way): Promise<string> {
  const settings = { pool_mode: mode, default_pool_size: `${size}` }
  const pooler = await startPgBouncer(server.port, settings)
  try {
    const DATABASE_URL = `postgres://bazaar@127.0.0.1:${pooler.port}/bazaar`
    const past = direct ? { DATABASE_DIRECT_URL: server.url } : {}
    const config = { ...NONE, DATABASE_URL, DATABASE_PREPARE: prepare, ...past }
    return await openDatabase(config, () => undefined).then(
      () => 'well',
      (error: unknown) => String(error),
    )
  } finally {
    await pooler.stop()
  }
}

test('a server without a pooler opens normally', async () => {
  const config = { ...NONE, DATABASE_URL: server.url, DATABASE_PREPARE: '1' } as const
  expect(await openDatabase(config, () => undefined)).toMatchObject({ pooled: false })
})

test.runIf(hasPgBouncer)(
  'a pooler that loses prepared statements ends the start with advice',
  async () => {
    for (const size of [1, 5]) {
      const said = await startBehind({ mode: 'transaction', size, prepare: '1', direct: true })
      expect(said).toMatch(/^Error: The pooler of DATABASE_URL loses .*DATABASE_PREPARE=0/)
    }
    expect(await startBehind({ mode: 'transaction', prepare: '0', direct: true })).toBe('well')
    expect(await startBehind({ mode: 'session', prepare: '1' })).toBe('well')
  },
)

test.runIf(hasPgBouncer)(
  'a pooler in transaction mode alone ends the start, because jobs and migrations must bypass it',
  async () => {
    const said = await startBehind({ mode: 'transaction', prepare: '0' })
    expect(said).toMatch(/^Error: DATABASE_URL leads through a pooler .*DATABASE_DIRECT_URL/)
  },
)
