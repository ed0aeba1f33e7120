import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { noteAddress } from '#server/kernel/process/running.ts'
import { runAdmin } from '#server/testing/commands/admin.ts'
import { createTestApp, type TestApp } from '#server/testing/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
  await app.signUp('Elena')
})
afterAll(() => app.close())

test.each(['grant', 'reset', 'forget-factor'])(
  '%s finds nobody of an unknown name',
  async (word) => {
    expect((await runAdmin(app, [word, 'nobody'])).stderr).toBe('There is nobody called nobody.\n')
  },
)

test('a link to a new password begins with the address of the server that runs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kb-address-'))
  const forget = await noteAddress(folder, 'http://localhost:3007')
  const ask = async (more: Record<string, string> = {}) =>
    (await runAdmin(app, ['reset', 'elena'], { DATA_DIR: folder, ...more })).stdout
  expect(await ask()).toMatch(/^http:\/\/localhost:3007\/password/)
  expect(await ask({ PUBLIC_URL: 'https://bazaar.example' })).toMatch(
    /^https:\/\/bazaar\.example\/password/,
  )
  await forget()
  expect(await ask()).toMatch(/^http:\/\/localhost:3000\/password/)
  // Of a server that was killed the note stays, and counts no more.
  await writeFile(join(folder, 'address'), '4194305 http://localhost:3008\n')
  expect(await ask()).toMatch(/^http:\/\/localhost:3000\/password/)
  await rm(folder, { recursive: true })
})
