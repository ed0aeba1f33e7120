import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readSecrets } from '#server/kernel/keys.ts'
import { StartFailure } from '#server/kernel/process/start-failure.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kb-keys-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test.each([
  ['empty', '', /auth-secret is empty/],
  ['of white space', ' \n', /auth-secret is empty/],
  ['short', 'half-a-key\n', /auth-secret is shorter than 32 characters/],
])('a stored key that is %s is refused and left alone', async (_, text, words) => {
  await writeFile(join(folder, 'auth-secret'), text)
  const refused = readSecrets(undefined, folder)
  await expect(refused).rejects.toThrow(StartFailure)
  await expect(refused).rejects.toThrow(words)
  expect(await readFile(join(folder, 'auth-secret'), 'utf8')).toBe(text)
})

test('a stored key stays, and one that cannot be read is not replaced', async () => {
  await writeFile(join(folder, 'auth-secret'), 'x'.repeat(40))
  expect(await readSecrets(undefined, folder)).toEqual(['x'.repeat(40)])
  await rm(join(folder, 'auth-secret'))
  await mkdir(join(folder, 'auth-secret'))
  await expect(readSecrets(undefined, folder)).rejects.toThrow(/EISDIR/)
})

test('first starts at the same time share one key, which only its owner may read', async () => {
  const all = await Promise.all(Array.from({ length: 5 }, () => readSecrets(undefined, folder)))
  expect(new Set(all.flat()).size).toBe(1)
  expect(all[0]?.[0]).toHaveLength(43)
  expect((await stat(join(folder, 'auth-secret'))).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(['auth-secret'])
})
