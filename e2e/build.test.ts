/** Tests dependencies between the files of the build. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { startServer } from './server.ts'

interface Chunk {
  readonly name?: string
  readonly isEntry?: boolean
  readonly imports?: readonly string[]
  /** Modules that are loaded on demand. */
  readonly dynamicImports?: readonly string[]
}

async function readChunks(): Promise<ReadonlyMap<string, Chunk>> {
  const current = (await readFile('dist/current', 'utf8')).trim()
  const manifest = join('dist', current, 'client/.vite/manifest.json')
  const chunks: Record<string, Chunk> = JSON.parse(await readFile(manifest, 'utf8'))
  return new Map(Object.entries(chunks))
}

/** Returns all chunks that must run before this one, directly or indirectly. */
function needsOf(chunks: ReadonlyMap<string, Chunk>, key: string): ReadonlySet<string> {
  const needed = new Set(chunks.get(key)?.imports)
  // Iterating over a set also visits entries added meanwhile.
  for (const next of needed) for (const more of chunks.get(next)?.imports ?? []) needed.add(more)
  return needed
}

test('no file of the first paint waits in a cycle', async () => {
  const chunks = await readChunks()
  const entry = [...chunks].find(([, { isEntry }]) => isEntry === true)?.[0] ?? ''
  const first = [entry, ...needsOf(chunks, entry)]
  expect(first.length).toBeGreaterThan(1)
  expect(first.filter((key) => needsOf(chunks, key).has(key))).toEqual([])
})

test('the common chunk starts the page, and contains no validation', async () => {
  const chunks = await readChunks()
  const [key = '', entry] = [...chunks].find(([, { isEntry }]) => isEntry === true) ?? []
  // If the bundler moved the entry's module to another chunk, its own file would be empty and nothing would run.
  expect(entry?.dynamicImports ?? []).not.toEqual([])
  const names = [...needsOf(chunks, key)].map((needed) => chunks.get(needed)?.name ?? needed)
  expect(names.sort()).toEqual(['rolldown-runtime', 'shared', 'vendor'])
})

test('the started server is the bundle, which is not deleted meanwhile', async () => {
  const bundle = join('dist', (await readFile('dist/current-server', 'utf8')).trim())
  const server = await startServer()
  try {
    expect(await readdir(join(bundle, 'used-by'))).toContain(`${server.pid}`)
    // Modules that locate files by their own path find those of the sources.
    for (const path of ['/favicon.svg', '/share.jpg', '/manifest/en.webmanifest'])
      expect([path, (await fetch(`${server.url}${path}`)).status]).toEqual([path, 200])
  } finally {
    await server.stop()
  }
})
