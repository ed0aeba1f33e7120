import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { isAllowed, readLocked } from '#scripts/licence-list.ts'

const locked = readLocked()
const run = promisify(execFile)

test('every package has a licence that is allowed for its use', () => {
  expect(locked.length).toBeGreaterThan(300)
  expect(locked.filter((one) => !isAllowed(one))).toEqual([])
})

test('a licence is judged by all of its parts', () => {
  const judge = (place: 'server' | 'browser', licence: string) => isAllowed({ place, licence })
  expect(judge('server', '')).toBe(false)
  expect(judge('server', 'AGPL-3.0-only')).toBe(false)
  expect(judge('server', 'MIT AND GPL-3.0-only')).toBe(false)
  expect(judge('server', '(MIT OR GPL-3.0-only)')).toBe(true)
  expect(judge('browser', '(MPL-2.0 OR Apache-2.0)')).toBe(true)
  expect(judge('browser', 'LGPL-3.0-or-later')).toBe(false)
})

test('the metadata of a package matches the lock file', () => {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { license?: string }>
  }
  const differing = Object.entries(lock.packages).filter(([path, { license }]) => {
    const file = `${path}/package.json`
    if (path === '' || license === undefined || !existsSync(file)) return false
    const own = JSON.parse(readFileSync(file, 'utf8')) as { license?: unknown }
    return typeof own.license === 'string' && own.license !== license
  })
  expect(differing).toEqual([])
})

test('npm run sbom writes a CycloneDX document of every locked package with its hash', async () => {
  const { stdout } = await run('npm', ['run', '--silent', 'sbom'], { maxBuffer: 64 * 1024 * 1024 })
  const bill = JSON.parse(stdout) as {
    bomFormat: string
    metadata: { component: { name: string } }
    components: { name: string; purl: string; hashes?: unknown[] }[]
  }
  expect([bill.bomFormat, bill.metadata.component.name]).toEqual(['CycloneDX', 'knowledge-bazaar'])
  const named = new Set(bill.components.map(({ name }) => name))
  expect(locked.filter(({ name }) => !named.has(name))).toEqual([])
  // Our own packages are folders without a hash.
  const unsealed = bill.components.filter(({ hashes = [] }) => hashes.length === 0)
  expect(unsealed.map(({ purl }) => purl.replace(/@[^@]*$/, ''))).toEqual([
    'pkg:npm/comment-opinion',
    'pkg:npm/signalr-hub-server',
  ])
})
