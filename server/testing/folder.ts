import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** Creates an empty folder that is removed after the tests of the file. */
export async function makeTestFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kb-folder-'))
  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }))
  return folder
}
