import { expect, test } from 'vitest'
import { findPlainLinks, warnOfPlainLinks } from '#server/operate/doctor/plain-links.ts'
import { readConfig } from '#server/kernel/config.ts'

const AUTH = { AUTH_SECRETS: 'x'.repeat(32) }
const find = async (environment: Record<string, string>) =>
  findPlainLinks(readConfig({ ...AUTH, ...environment }))

test.each([
  ['DATABASE_URL', 'postgres://me:hunter2@93.184.215.14/kb'],
  ['DATABASE_URL', 'postgres://me:hunter2@93.184.215.14/kb?sslmode=prefer'],
  ['DATABASE_URL', 'postgres://me:hunter2@nowhere.invalid/kb'],
  ['REDIS_URL', 'redis://:hunter2@93.184.215.14'],
  ['REDIS_URL', 'redis+sentinel://:hunter2@[2a00:1450::1]/main'],
  ['S3_URL', 'http://key:hunter2@93.184.215.14/bucket'],
  ['BACKUP_URL', 'http://key:hunter2@93.184.215.14/bucket'],
  ['SMTP_URL', 'smtp://93.184.215.14'],
  ['SMTP_URL', 'smtp://me:hunter2@93.184.215.14?ignoreTLS=true'],
  ['AI_URL', 'http://93.184.215.14/v1'],
  ['VIDEO_CHECK_URL', 'http://93.184.215.14/oembed'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://93.184.215.14:4318'],
  ['NODE_URL', 'http://93.184.215.14:3000'],
])('%s %s is named, without its password', async (setting, value) => {
  const [found, ...others] = await find({ [setting]: value })
  expect(others).toEqual([])
  expect(found).toMatchObject({ part: setting, state: 'note' })
  expect(found?.says).toMatch(/^speaks in the clear with .+ or reach it by a private network/)
  expect(found?.says).not.toContain('hunter2')
})

test.each([
  ['DATABASE_URL', 'postgres://me:hunter2@93.184.215.14/kb?sslmode=verify-full'],
  ['DATABASE_URL', 'postgres://me@/kb?host=%2Frun%2Fpostgresql'],
  ['DATABASE_URL', 'postgres://me@127.0.0.1/kb'],
  ['DATABASE_URL', 'postgres://me@10.1.2.3/kb'],
  ['DATABASE_URL', 'postgres://me@postgres:5432/kb'],
  ['DATABASE_URL', 'postgres://me@db.bazaar.svc/kb'],
  ['REDIS_URL', 'rediss://:hunter2@93.184.215.14'],
  ['REDIS_URL', 'redis://[fd00::1]'],
  ['NODE_URL', 'http://10.1.2.3:3000'],
  ['NODE_URL', 'https://93.184.215.14'],
  ['S3_URL', 'https://key:hunter2@93.184.215.14/bucket'],
  ['BACKUP_URL', 'file:///srv/backups'],
  ['SMTP_URL', 'smtp://me:hunter2@93.184.215.14'],
  ['SMTP_URL', 'smtps://93.184.215.14'],
])('%s %s is not reported', async (setting, value) => {
  expect(await find({ [setting]: value })).toEqual([])
})

test('a start logs it', async () => {
  const logged: string[] = []
  const config = readConfig({ ...AUTH, REDIS_URL: 'redis://:hunter2@93.184.215.14' })
  await warnOfPlainLinks(config, { warn: (line: unknown) => void logged.push(String(line)) })
  expect(logged).toEqual([
    'REDIS_URL speaks in the clear with 93.184.215.14, so whoever is on the way reads and changes it. Begin it with rediss:// (rediss+sentinel://, rediss+cluster://), or reach it by a private network or a tunnel.',
  ])
})
