/** Tests that every place states the same version. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { registerHealth } from '#server/kernel/process/health.ts'

const run = promisify(execFile)
const manifest = JSON.parse(await readFile('package.json', 'utf8')) as { version: string }
const version = manifest.version

test('the version is semantic, and the changelog starts with it and its date', async () => {
  expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  const changelog = await readFile('CHANGELOG.md', 'utf8')
  const [, newest] = /^## \[(\d.*)\] - \d{4}-\d{2}-\d{2}$/m.exec(changelog) ?? []
  expect(newest).toBe(version)
})

test('the server and npm start print only the version', async () => {
  for (const words of [
    ['server/main.ts', '--version'],
    ['scripts/start.mjs', '--version'],
  ])
    expect((await run(process.execPath, words)).stdout).toBe(`${version}\n`)
})

test('/healthz returns the version', async () => {
  const app = Fastify()
  registerHealth(app, [])
  const { body } = await app.inject('/healthz')
  await app.close()
  expect(JSON.parse(body)).toEqual({ status: 'ok', version })
})

test('the chart and the image of compose.yaml have the same version', async () => {
  expect(await readFile('deploy/helm/Chart.yaml', 'utf8')).toContain(`\nappVersion: ${version}\n`)
  for (const file of ['compose.yaml', 'deploy/compose.small.yaml'])
    expect(await readFile(file, 'utf8')).toContain(`image: knowledge-bazaar:${version}\n`)
})
