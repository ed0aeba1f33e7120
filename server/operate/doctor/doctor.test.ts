/** Tests the doctor without running servers. doctor.slow.test.ts uses real ones. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestApp } from '#server/testing/app.ts'
import { examine } from '#server/testing/commands/doctor.ts'
import { makeTestFolder } from '#server/testing/folder.ts'

const folder = await makeTestFolder()

test('an invalid setting is reported without possible secrets', async () => {
  const { code, text } = await examine({ SMTP_URL: 'http://ann:verysecret@mail.test' })
  expect(code).toBe(1)
  expect(text).toContain('✗ settings  SMTP_URL is "…": must begin with smtp:// or smtps://.')
  expect(text).not.toContain('verysecret')
})

test('without an installation it says what the first start creates, and creates nothing', async () => {
  const DATA_DIR = join(folder, 'not', 'yet')
  const { code, wrong, of, text } = await examine({ DATA_DIR })
  expect([code, wrong]).toEqual([0, []])
  for (const part of ['DATA_DIR', 'AUTH_SECRETS', 'database', 'files'])
    expect(of(part)[0]).toMatch(/^! .*the first start makes/)
  expect(of('PUBLIC_URL')[0]).toContain('! not set, and no server runs on DATA_DIR')
  expect(text).toContain('Nothing is wrong; 7 to look at.')
  await expect(stat(DATA_DIR)).rejects.toThrow('ENOENT')
})

test('it says whether the videos of lessons are checked', async () => {
  const DATA_DIR = join(folder, 'not', 'yet')
  const PUBLIC_URL = 'http://127.0.0.1:9'
  for (const [settings, says] of [
    [{ PUBLIC_URL }, '✓ the videos of lessons are checked'],
    [{ PUBLIC_URL, VIDEO_CHECK_URL: '' }, '! It is empty'],
    [{}, '! Without PUBLIC_URL'],
  ] as const)
    expect((await examine({ DATA_DIR, ...settings })).of('VIDEO_CHECK_URL')[0]).toContain(says)
})

test('details of a request are only shown with a proof', async () => {
  const app = await createTestApp()
  for (const proof of ['', 'x', `${Date.now()}.${'a'.repeat(43)}`]) {
    const answer = await fetch(`${app.url}/healthz/seen`, { headers: { 'x-doctor': proof } })
    expect(answer.status).toBe(404)
  }
  await app.close()
})
