/** Tests real processes with one database and different settings. */
import { afterAll, expect, test } from 'vitest'
import pg from 'pg'
import { addressOf } from '#server/testing/backup/commands.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { startProduct, type Product, type ProductOptions } from '#server/testing/product.ts'

const [OLD, NEW] = ['the-old-key-of-32-characters-or-more', 'the-new-key-of-32-characters-or-more']
/** A beat, and room for a busy machine. */
const SOON = { timeout: 9000 }

const running: Product[] = []
const connection = await createTestDatabase()
afterAll(async () => {
  for (const product of running) await product.stop()
})

async function start(
  settings: Readonly<Record<string, string>>,
  options?: ProductOptions,
): Promise<Product> {
  const product = await startProduct(
    {
      DATABASE_URL: addressOf(connection),
      AUTH_SECRETS: OLD,
      PUBLIC_URL: 'https://bazaar.example',
      JOBS: 'elsewhere',
      LOG_LEVEL: 'warn',
      ...settings,
    },
    options,
  )
  running.push(product)
  return product
}

const readyOf = ({ url }: Product) => fetch(`${url}/readyz`).then((answer) => answer.json())
const READY = { status: 'ready' }

test(
  'both nodes report different settings, in the log and at /readyz, until they are equal',
  { timeout: 60_000 },
  async () => {
    const near = await start({})
    expect(await readyOf(near)).toEqual(READY)
    const far = await start({ AUTH_SECRETS: NEW, PUBLIC_URL: 'https://other.example' })
    const report = {
      status: 'degraded',
      degraded: 'nodes',
      says: {
        nodes:
          'AUTH_SECRETS differ between the nodes: give all the same; PUBLIC_URL differs between the nodes: give all the same',
      },
    }
    expect(await readyOf(far)).toEqual(report)
    await expect.poll(() => readyOf(near), SOON).toEqual(report)
    for (const { said } of [near, far]) {
      const text = said.join('\n')
      expect(text).toContain(
        'with other AUTH_SECRETS: who signs in at one is a stranger at the other',
      )
      expect(text).toContain('with the PUBLIC_URL https://')
      for (const key of [OLD, NEW]) expect(text).not.toContain(key)
    }
    await far.stop()
    await expect.poll(() => readyOf(near), SOON).toEqual(READY)
    await near.stop()
  },
)

test('a worker is compared too, and keys can be rotated', { timeout: 60_000 }, async () => {
  const near = await start({ AUTH_SECRETS: `${OLD},${NEW}` })
  const far = await start({ AUTH_SECRETS: `${NEW},${OLD}` })
  expect(await readyOf(far)).toEqual(READY)
  const worker = await start(
    { AUTH_SECRETS: 'a-key-of-nobody-else-32-characters!' },
    { file: 'server/worker.ts' },
  )
  expect(worker.said.join('\n')).toContain('uses this database with other AUTH_SECRETS')
  await expect.poll(() => readyOf(near), SOON).toMatchObject({ degraded: 'nodes' })
  expect(near.said.join('\n')).toContain('The worker ')
  for (const product of [worker, far, near]) await product.stop()
})

test(
  'another version is named, and dead processes are forgotten',
  { timeout: 60_000 },
  async () => {
    const client = new pg.Client(connection)
    await client.connect()
    await client.query(
      `insert into nodes (node, role, url, version, public_url, signing_marks, seen_at)
     values ('gone', 'serves', 'http://10.0.0.9:3000', '0.0.1', 'x', '{}', now() - interval '2 minutes')`,
    )
    const near = await start({})
    const { rows } = await client.query<{ node: string; signing_marks: string[] }>(
      'select * from nodes',
    )
    expect(rows.map(({ node }) => node)).not.toContain('gone')
    await client.query(
      `insert into nodes (node, role, url, version, public_url, signing_marks)
     values ('other', 'serves', 'http://10.0.0.8:3000', '0.0.1', 'https://bazaar.example', $1)`,
      [rows[0]?.signing_marks],
    )
    await expect
      .poll(() => readyOf(near), SOON)
      .toMatchObject({
        says: { nodes: expect.stringContaining('versions differ between the nodes') },
      })
    expect(near.said.join('\n')).toContain('The node http://10.0.0.8:3000 runs version 0.0.1')
    await client.end()
    await near.stop()
  },
)
