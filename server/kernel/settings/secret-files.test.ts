import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { configHelp, readConfig } from '#server/kernel/config.ts'
import { makeTestFolder } from '#server/testing/folder.ts'

const folder = await makeTestFolder()

const write = (name: string, text: string) => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}
const KEY = 'a signing key of the tests that is long enough'

test('every setting that may hold a secret is read from the file that NAME_FILE names', () => {
  const listed = /NAME_FILE names: (.+)\.$/m.exec(configHelp())?.[1]?.split(', ') ?? []
  const values: Record<string, string> = {
    AUTH_SECRETS: KEY,
    DATABASE_URL: 'postgres://db/kb',
    DATABASE_DIRECT_URL: 'postgres://direct/kb',
    DATABASE_REPLICA_URL: 'postgres://replica/kb',
    REDIS_URL: 'redis://redis',
    S3_URL: 'https://key:secret@s3.example/bucket',
    BACKUP_URL: '/srv/backups',
    BACKUP_PASSPHRASE: 'four words that nobody guesses',
    SMTP_URL: 'smtp://mail.example',
    AI_KEY: 'a key',
    OIDC_CLIENT_SECRET: 'one',
    OIDC_2_CLIENT_SECRET: 'two',
    OIDC_3_CLIENT_SECRET: 'three',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=x',
  }
  expect(listed.toSorted()).toEqual(Object.keys(values).toSorted())
  const others = Object.fromEntries(
    ['OIDC', 'OIDC_2', 'OIDC_3'].flatMap((name) => [
      [`${name}_ISSUER`, `https://${name.toLowerCase().replace('_', '-')}.example`],
      [`${name}_CLIENT_ID`, 'site'],
    ]),
  )
  const files = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`${name}_FILE`, write(name, ` ${value}\r\n`)]),
  )
  expect(readConfig({ ...others, ...files })).toEqual(readConfig({ ...others, ...values }))
})

test('a value in the environment wins', () => {
  const given = { AUTH_SECRETS: KEY, AUTH_SECRETS_FILE: '/none' }
  expect(readConfig(given).AUTH_SECRETS).toEqual([KEY])
  expect(readConfig({ AUTH_SECRETS_FILE: '' }).AUTH_SECRETS).toBeUndefined()
})

test('settings that are not secret are not read from files', () => {
  expect(readConfig({ PORT_FILE: write('port', '4000') }).PORT).toBe(3000)
})

test('a file that is missing, a folder, empty, endless or wrong gives a message without its content', () => {
  for (const [path, sentence] of [
    [
      '/none',
      'AUTH_SECRETS_FILE (/none) can not be read. Set it to a file that this user may read.',
    ],
    [folder, `AUTH_SECRETS_FILE (${folder}) can not be read.`],
    [write('empty', ' \n'), 'is empty. Write the value into it.'],
    ['/dev/zero', 'AUTH_SECRETS_FILE (/dev/zero) is too long to hold one value.'],
    [write('short', 'hunter2\n'), 'AUTH_SECRETS is "…": must be keys of at least 32 characters'],
  ] as const) {
    const read = () => readConfig({ AUTH_SECRETS_FILE: path })
    expect(read).toThrow(sentence)
    expect(read).not.toThrow('hunter2')
  }
})
