/** Runs the backup commands as an operator would. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import pg, { type ClientConfig } from 'pg'
import { expect } from 'vitest'
import { TEST_SECRET } from '#server/testing/app.ts'

const run = promisify(execFile)

export interface Installation {
  /** Undefined uses the embedded database in the folder. */
  readonly connection?: ClientConfig
  readonly dataDir: string
}

export interface Done {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Returns the DATABASE_URL of a test database. */
export function addressOf({ host, port, user, database }: ClientConfig): string {
  return `postgres://${user}@/${database}?host=${encodeURIComponent(host ?? '')}&port=${port}`
}

/** Runs the script of `npm run backup` or `npm run restore`. */
export async function command(
  script: 'backup' | 'restore',
  { connection, dataDir }: Installation,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Done> {
  const done = run(process.execPath, [`scripts/${script}.ts`, ...words], {
    env: {
      PATH: process.env['PATH'] ?? '',
      DATA_DIR: dataDir,
      ...(connection && { DATABASE_URL: addressOf(connection), AUTH_SECRETS: TEST_SECRET }),
      ...environment,
    },
    timeout: 120_000,
  })
  return done.then(
    (output) => ({ code: 0, ...output }),
    (error: Done) => error,
  )
}

/** Runs a command that must fail with a message and without a stack trace. Returns the message. */
export async function refusalOf(...given: Parameters<typeof command>): Promise<string> {
  const { code, stderr } = await command(...given)
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.not.stringMatching(/\n\s+at /) })
  return stderr
}

export async function ask(
  connection: ClientConfig,
  text: string,
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}
