/** The product and the reference, each as a process of its own. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import allocator from '#server/kernel/allocator.json' with { type: 'json' }
import { findTestPort } from '#server/testing/port.ts'
import type { BenchDatabase } from './database.ts'
import { startChild, type Child } from './process.ts'
import type { ReferenceJob } from './reference.ts'

/** Signs the access tokens that the bench makes. */
export const SECRET = 'bench-secret-bench-secret-bench-secret'

/** As `npm start` does: without them a node keeps more of what it once took. */
const ALLOCATOR: Readonly<Record<string, string>> = allocator

/** The pages are measured as they would be started now, not as they were built last. */
export async function buildPages(): Promise<void> {
  const build: { ensureBuilt(node: string): Promise<void> } = await import(BUILD)
  await build.ensureBuilt(process.execPath)
}

const BUILD = join(import.meta.dirname, '..', '..', 'scripts', 'build.mjs')

export interface Served extends Child {
  readonly port: number
}

/** Starts the product, without limits; `probed`: with what `Child.ask` asks. */
export async function startProduct(
  dataDir: string,
  environment: Readonly<Record<string, string>> = {},
  probed = false,
): Promise<Served> {
  const port = await findTestPort()
  const probe = probed ? ['--import', PROBE] : []
  const child = await startChild(process.execPath, [...profileArgs(), ...probe, 'server/main.ts'], {
    until: /^Ctrl-C/,
    environment: { ...ALLOCATOR, ...productEnvironment(dataDir, port, environment) },
    probed,
  })
  return { ...child, port }
}

const PROBE = join(import.meta.dirname, 'probe.ts')

interface StartedOn {
  readonly probed?: boolean
  readonly environment?: Readonly<Record<string, string>>
}

/** Starts the product on the database of a measurement, with files of its own; `probed` as above. */
export function startProductOn(
  database: BenchDatabase,
  { probed = false, environment = {} }: StartedOn = {},
): Promise<Served> {
  return startProduct(
    join(database.dataDir, 'product'),
    { DATABASE_URL: addressOf(database), ...environment },
    probed,
  )
}

/** DATABASE_URL of the database of a measurement. */
function addressOf({ connection }: BenchDatabase): string {
  const { user, host, database } = connection
  return `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`
}

/**
 * The environment of a measured product: a fixed secret, so that the bench can sign tokens of its own, and no rate
 * limits.
 */
export function productEnvironment(
  dataDir: string,
  port: number,
  environment: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return {
    PORT: `${port}`,
    DATA_DIR: dataDir,
    AUTH_SECRETS: SECRET,
    ACCESS_TOKEN_MINUTES: '600',
    DEMO: '0',
    RATE_LIMITS: 'off',
    METRICS_PORT: '0',
    LOG_LEVEL: 'error',
    ...environment,
  }
}

/** `BENCH_PROFILE=folder` writes a CPU profile of the product there. */
function profileArgs(): string[] {
  const folder = process.env['BENCH_PROFILE']
  return folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`]
}

/** Starts the reference server for a job and waits until it listens. */
export async function startReference(job: ReferenceJob): Promise<Served> {
  const folder = await mkdtemp(join(tmpdir(), 'kb-reference-'))
  const file = join(folder, 'job.json')
  await writeFile(file, JSON.stringify(job))
  const child = await startChild(process.execPath, ['lab/bench/reference.ts', file], {
    until: /^listening \d+/,
    environment: { NODE_ENV: 'production' },
  })
  await rm(folder, { recursive: true })
  return { ...child, port: Number(/\d+/.exec(child.said.at(-1) ?? '')?.[0] ?? 0) }
}
