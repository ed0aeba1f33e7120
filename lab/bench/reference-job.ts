/** Compares the product with the reference server (reference.ts). */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { startServer, type Server } from '#lab/process.ts'
import { compare, type Comparison, type Served, type Settings, type Side } from './rounds.ts'
import type { Statement } from './statements.ts'

export type ReferenceJob =
  /** `body` is base64. */
  | { kind: 'buffer'; status: number; headers: Readonly<Record<string, string>>; body: string }
  /** Request `/n` runs the n-th case. */
  | { kind: 'statements'; connection: pg.ClientConfig; cases: readonly (readonly Statement[])[] }

/** Loads the product and a reference alternately. `changed` contains differences in the reference's load. */
export async function compareWithReference(
  settings: Settings,
  { pid }: Served,
  load: Side['load'],
  job: ReferenceJob,
  changed: Partial<Side['load']> = {},
): Promise<Comparison> {
  const reference = await startReference(job)
  try {
    const { pid: other, port } = reference
    return await compare(
      settings,
      { pid, load },
      { pid: other, load: { ...load, ...changed, port } },
    )
  } finally {
    reference.stop()
  }
}

async function startReference(job: ReferenceJob): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'kb-reference-'))
  const file = join(folder, 'job.json')
  // A job may contain thousands of statements.
  await writeFile(file, JSON.stringify(job))
  const server = await startServer('bench/reference.ts', [file])
  await rm(folder, { recursive: true })
  return server
}
