/** The commands of backups, run as an operator types them, on databases and folders of tests. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import pg, { type ClientConfig } from 'pg'
import { expect } from 'vitest'
import { TEST_SECRET } from '#server/testing/app.ts'

const run = promisify(execFile)

/** Where an installation of a test is. */
export interface Installation {
  /** Undefined: the embedded database in the folder. */
  readonly connection?: ClientConfig
  readonly dataDir: string
}

/** How a command ended. */
export interface Done {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** The address of a database of tests, as DATABASE_URL has it. */
export function addressOf({ host, port, user, database }: ClientConfig): string {
  return `postgres://${user}@/${database}?host=${encodeURIComponent(host ?? '')}&port=${port}`
}

/** Runs `npm run backup` or `npm run restore`, without npm. */
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

/** Runs a command that must end by itself, with words and without a stack. Answers its words. */
export async function refusalOf(...given: Parameters<typeof command>): Promise<string> {
  const { code, stderr } = await command(...given)
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.not.stringMatching(/\n\s+at /) })
  return stderr
}

/** The rows of a statement. */
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
