/** Tests the backup commands: backups made while people use the site, restores elsewhere, and refusals. */
import { randomBytes } from 'node:crypto'
import { cp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClientConfig } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import type { Session } from '#contract/accounts.ts'
import type { UploadedResource } from '#contract/files.ts'
import { createTestApp } from '#server/testing/app.ts'
import { ask, command, refusalOf, type Installation } from '#server/testing/backup/commands.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { liveThrough } from '#server/testing/lived-in.ts'
import { makeSmallDisk } from '#server/testing/small-disk.ts'
import { makeTestFolder } from '#server/testing/folder.ts'
import { openTestApp } from '#server/testing/setup.ts'
import { formOf } from '#server/testing/http/forms.ts'

const content = randomBytes(3_000_000)
const folder = await makeTestFolder()
const app = await openTestApp()
const from = app
const people = await liveThrough(app)
const form = formOf({ file: new File([content], 'map.bin') })
const resource = (
  await app.call<UploadedResource>('POST', '/upload/resource', { as: people.ann, form })
).body
await app.publishLesson(people.ann, { resources: resource.url })

let count = 0
const place = (name: string) => join(folder, `${(count += 1)}-${name}`)

/** Writes like people do until it is stopped; returns how many writes were acknowledged. */
function startWriting(): () => Promise<number> {
  let stopped = false
  let written = 0
  const write = async () => {
    while (!stopped) {
      const { id } = await app.publishLesson(people.ann)
      await app.call('POST', `/lesson/like/${id}`, { as: people.bob })
      await app.call('POST', `/lesson/buy/${id}`, { as: people.bob })
      await app.call('POST', `/comment/create/${id}`, { as: people.bob, json: { text: 'A word' } })
      written += 4
    }
  }
  const writing = Promise.all([write(), write()])
  return async () => {
    stopped = true
    await writing
    return written
  }
}

const everything = `select (select count(*)::int from users) as users, (select count(*)::int from lessons) as lessons,
  (select count(*)::int from point_entries) as entries, (select count(*)::int from messages) as messages,
  (select sum(amount)::int from point_entries) as points`

async function restoreTo(
  file: string,
  environment: Record<string, string> = {},
  words: readonly string[] = [],
): Promise<Installation & { readonly connection: ClientConfig; readonly said: string }> {
  const to = { connection: await createTestDatabase(), dataDir: place('data') }
  const { code, stdout, stderr } = await command('restore', to, [file, ...words], environment)
  expect({ code, stderr }).toMatchObject({ code: 0 })
  return { ...to, said: stdout }
}

/** Checks that nothing was restored into a database and a folder. */
async function expectEmpty({ connection, dataDir }: Installation & { connection: ClientConfig }) {
  expect(await ask(connection, everything)).toEqual([
    { users: 0, lessons: 0, entries: 0, messages: 0, points: null },
  ])
  const left = await readdir(dataDir, { recursive: true, withFileTypes: true }).catch(() => [])
  expect(left.filter((entry) => entry.isFile()).map(({ name }) => name)).toEqual([])
}

test('a backup made while people write restores elsewhere without faults', async () => {
  const file = place('whole.tar')
  const stop = startWriting()
  const made = await command('backup', from, [file])
  const written = await stop()
  expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('✓ ') })
  expect(written).toBeGreaterThan(0)
  expect((await stat(file)).mode & 0o777).toBe(0o600)

  const to = await restoreTo(file)
  expect(to.said).toContain('✓ The audit found all well.')
  const other = await createTestApp({ DATA_DIR: to.dataDir }, null, { connection: to.connection })
  onTestFinished(() => other.close())
  const { username } = people.bob.session
  const json = { username, password: people.bob.password }
  const signedIn = await other.call<Session>('POST', '/identity/login', { json })
  expect(signedIn.status).toBe(200)
  // The keys are the same, so the site's signatures are still valid.
  const headers = { authorization: `Bearer ${people.ann.session.accessToken}` }
  const download = await fetch(other.url + resource.url, { headers })
  expect(Buffer.from(await download.arrayBuffer()).equals(content)).toBe(true)
  const again = await other.publishLesson(people.ann)
  expect(again.id).toBeGreaterThan(0)
}, 120_000)

test('with --sign-out-all nobody is signed in afterwards, and no token works', async () => {
  const file = place('signed-out.tar')
  const { ann } = people
  const made = await app.call<{ token: string }>('POST', '/identity/tokens', {
    as: ann,
    json: { name: 'Program', scopes: ['read'], days: 9, password: ann.password },
  })
  expect(made.status).toBe(200)
  expect((await command('backup', from, [file])).code).toBe(0)
  const to = await restoreTo(file, {}, ['--sign-out-all'])
  expect(to.said).toMatch(/Ended \d+ sessions and 1 access tokens\./)
  const other = await createTestApp({ DATA_DIR: to.dataDir }, null, { connection: to.connection })
  onTestFinished(() => other.close())
  for (const token of [ann.session.accessToken, made.body.token]) {
    const headers = { authorization: `Bearer ${token}` }
    expect((await other.call('GET', '/identity/points', { headers })).status).toBe(401)
  }
  const json = { username: ann.session.username, password: ann.password }
  expect((await other.call('POST', '/identity/login', { json })).status).toBe(200)
}, 120_000)

test('--verify finds a fault in the books of an archive, and leaves nothing behind', async () => {
  const [person] = await ask(app.connection, 'select user_id, net from point_balances limit 1')
  const change = `where user_id = '${String(person?.['user_id'])}'`
  const file = place('wrong-books.tar')
  await ask(app.connection, `update point_balances set net = net + 1 ${change}`)
  await command('backup', from, [file])
  await ask(app.connection, `update point_balances set net = net - 1 ${change}`)
  const before = await readdir(tmpdir())
  const { code, stdout } = await command('backup', { dataDir: place('none') }, ['--verify', file])
  expect({ code, stdout }).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('balanceNotSum'),
  })
  const after = await readdir(tmpdir())
  expect(after.filter((name) => name.startsWith('kb-verify') && !before.includes(name))).toEqual([])
}, 180_000)

test('an encrypted archive needs its passphrase', async () => {
  const file = place('secret.age')
  const passphrase = { BACKUP_PASSPHRASE: 'four words that nobody guesses' }
  expect(await command('backup', from, [file], passphrase)).toMatchObject({ code: 0 })
  const bytes = await readFile(file)
  expect(bytes.subarray(0, 21).toString()).toBe('age-encryption.org/v1')
  expect(bytes.includes('manifest.json')).toBe(false)

  const to = { connection: await createTestDatabase(), dataDir: place('data') }
  for (const [environment, sentence] of [
    [{}, 'Set BACKUP_PASSPHRASE, or BACKUP_PASSPHRASE_FILE: nobody can be asked.'],
    [{ BACKUP_PASSPHRASE: 'another passphrase' }, 'The passphrase is not the one of this backup.'],
    [{ BACKUP_PASSPHRASE: 'short' }, 'BACKUP_PASSPHRASE is "…": must have at least 10 characters'],
    [{ BACKUP_PASSPHRASE_FILE: '/none' }, 'BACKUP_PASSPHRASE_FILE (/none) can not be read.'],
  ] as const) {
    const stderr = await refusalOf('restore', to, [file], environment)
    expect(stderr).toContain(sentence)
    expect(stderr).not.toMatch(/nobody guesses|another passphrase/)
  }
  await writeFile(`${file}.cut`, bytes.subarray(0, bytes.length - 100_000))
  const changed = Buffer.from(bytes)
  changed[bytes.length >> 1] = (changed[bytes.length >> 1] ?? 0) ^ 1
  await writeFile(`${file}.changed`, changed)
  for (const wrong of [`${file}.cut`, `${file}.changed`])
    expect(await refusalOf('restore', to, [wrong], passphrase)).toContain(
      'This backup is damaged: it is cut, or was altered.',
    )
  await expectEmpty(to)
  await writeFile(place('pass'), '')
  const secret = place('passphrase')
  await writeFile(secret, `${passphrase.BACKUP_PASSPHRASE}\n`)
  const restored = await restoreTo(file, { BACKUP_PASSPHRASE_FILE: secret })
  expect(restored.said).toContain('all well')
}, 180_000)

test('a truncated, altered, foreign, newer or too old archive is refused with an explanation, and changes nothing', async () => {
  const file = place('good.tar')
  await command('backup', from, [file])
  const bytes = await readFile(file)
  const half = bytes.length >> 1
  const changed = (at: number) => {
    const copy = Buffer.from(bytes)
    copy[at] = (copy[at] ?? 0) ^ 1
    return copy
  }
  const inFiles = bytes.indexOf(content.subarray(0, 64))
  const newer = bytes.toString('latin1').replace('0008_notices.sql', '9999_notices.sql')
  const older = bytes.toString('latin1').replace('0001_platform.sql', '0001_accounts.sql')
  const to = { connection: await createTestDatabase(), dataDir: place('data') }
  for (const [what, wrong, sentence] of [
    ['empty', Buffer.alloc(0), 'This is no backup of Knowledge Bazaar'],
    ['text', Buffer.from('Dear diary\n'.repeat(1000)), 'This is no backup of Knowledge Bazaar'],
    ['zeros', Buffer.alloc(100_000), 'This is no backup of Knowledge Bazaar'],
    ['cut in half', bytes.subarray(0, half), 'This backup is damaged'],
    ['without its end', bytes.subarray(0, bytes.length - 4096), 'This backup is damaged'],
    ['with another byte in a file', changed(inFiles + 1_000_000), 'This backup is damaged'],
    [
      'with another byte at its end',
      changed(bytes.indexOf('end.json') + 700),
      'This backup is damaged',
    ],
    ['newer', Buffer.from(newer, 'latin1'), 'made by a newer version'],
    ['older', Buffer.from(older, 'latin1'), 'made by a version before the first release'],
  ] as const) {
    const copy = place('wrong.tar')
    await writeFile(copy, wrong)
    const stderr = await refusalOf('restore', to, [copy])
    expect(stderr, what).toContain(sentence)
  }
  await expectEmpty(to)
  for (const [words, sentence] of [
    [['/none/at/all'], 'There is no file /none/at/all.'],
    [[folder], 'is no file'],
    [[], 'npm run restore -- FILE'],
    [['s3://bucket/knowledge-bazaar-20260101-010000.tar'], 'needs the keys of a bucket'],
    [['--force', file], 'npm run restore -- FILE'],
  ] as const)
    expect(await refusalOf('restore', to, words)).toContain(sentence)
}, 180_000)

test('a restore refuses a place that is not empty', async () => {
  const file = place('again.tar')
  await command('backup', from, [file])
  const before = await ask(app.connection, everything)
  const used = { connection: app.connection, dataDir: place('data') }
  expect(await refusalOf('restore', used, [file])).toContain(
    'There are people in this installation already.',
  )
  expect(await ask(app.connection, everything)).toEqual(before)

  const other = { connection: await createTestDatabase(), dataDir: place('data') }
  await cp(join(app.dataDir, 'files'), join(other.dataDir, 'files'), { recursive: true })
  expect(await refusalOf('restore', other, [file])).toContain(
    'The storage has pictures or resources already.',
  )
  const foreign = { connection: await createTestDatabase(), dataDir: place('data') }
  await ask(foreign.connection, 'drop table migrations')
  expect(await refusalOf('restore', foreign, [file])).toContain('The database is not empty')
  const nothing = place('nothing.tar')
  expect(await command('backup', foreign, [nothing])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('There is no installation in this database'),
  })
  await expect(stat(nothing)).rejects.toThrow('ENOENT')
})

test('a full disk leaves nothing behind, of a backup or a restore', async () => {
  const disk = await makeSmallDisk(2)
  onTestFinished(() => disk.end())
  const stderr = await refusalOf('backup', from, [join(disk.folder, 'one.tar')])
  expect(stderr).toContain('is full')
  expect(await readdir(disk.folder)).toEqual([])
  const file = place('large.tar')
  await command('backup', from, [file])
  const to = { connection: await createTestDatabase(), dataDir: join(disk.folder, 'data') }
  const refused = await command('restore', to, [file])
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('The disk is full.') })
  await expectEmpty(to)
}, 180_000)

test('a backup overwrites no other, and needs a folder', async () => {
  const file = place('there.tar')
  await writeFile(file, 'mine')
  expect(await refusalOf('backup', from, [file])).toContain('exists already')
  expect(await readFile(file, 'utf8')).toBe('mine')
  expect(await refusalOf('backup', from, [join(file, 'x.tar')])).toContain('can not be used')
  expect(await refusalOf('backup', from, [])).toContain(
    'Name a file, or a place by --to, or set BACKUP_URL.',
  )
  expect(await refusalOf('backup', from, ['--keep', '3x', '--to', folder])).toContain(
    '"3x" is no rule of what to keep',
  )
})
