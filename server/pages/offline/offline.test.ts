/** Tests the service worker that browsers get, and how it is removed. */
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import Fastify from 'fastify'
import { registerOffline } from '#server/pages/offline/offline.ts'
import { makeTestFolder } from '#server/testing/folder.ts'

const folder = await makeTestFolder()
await mkdir(join(folder, 'client'))
await writeFile(join(folder, 'client/service-worker.js'), 'worker()')

async function ask(wanted: '0' | '1', build = folder) {
  const app = Fastify()
  await registerOffline(app, {
    config: { OFFLINE_READING: wanted },
    folder: build,
    headers: { 'x-content-type-options': 'nosniff' },
  })
  const answer = await app.inject('/service-worker.js')
  await app.close()
  return answer
}

test.each([
  ['it is switched off', '0', () => folder],
  ['the build has none', '1', () => join(folder, 'nowhere')],
] as const)(
  "where %s, the browser's worker is removed with everything it stored",
  async (_, wanted, build) => {
    const { body, statusCode } = await ask(wanted, build())
    expect(statusCode).toBe(200)
    expect(body).toContain('self.registration.unregister()')
    expect(body).toContain('caches.delete(')
    expect(body).not.toContain('worker()')
  },
)

test('the worker names its build, and is validated each time', async () => {
  const { body, headers } = await ask('1')
  expect(body).toBe(`self.BUILD = ${JSON.stringify(basename(folder))};\nworker()`)
  expect(headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'no-cache',
    'content-security-policy': "default-src 'none'; connect-src 'self'",
    'x-content-type-options': 'nosniff',
  })
})
