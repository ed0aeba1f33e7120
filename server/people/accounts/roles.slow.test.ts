import { expect, test } from 'vitest'
import { noteAddress } from '#server/kernel/process/running.ts'
import { runAdmin } from '#server/testing/commands/admin.ts'
import { makeTestFolder } from '#server/testing/folder.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp()
const folder = await makeTestFolder()
await app.signUp('Elena')

test.each(['grant', 'reset', 'forget-factor'])(
  '%s finds nobody with an unknown name',
  async (word) => {
    expect((await runAdmin(app, [word, 'nobody'])).stderr).toBe('There is nobody called nobody.\n')
  },
)

test('a reset link begins with the address of the running server', async () => {
  const forget = await noteAddress(folder, 'http://localhost:3007')
  const ask = async (more: Record<string, string> = {}) =>
    (await runAdmin(app, ['reset', 'elena'], { DATA_DIR: folder, ...more })).stdout
  expect(await ask()).toMatch(/^http:\/\/localhost:3007\/password/)
  expect(await ask({ PUBLIC_URL: 'https://bazaar.example' })).toMatch(
    /^https:\/\/bazaar\.example\/password/,
  )
  await forget()
})
