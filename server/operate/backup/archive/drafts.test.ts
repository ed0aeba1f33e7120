import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { clearDeadDrafts, draftOf } from '#server/operate/backup/archive/drafts.ts'
import { openFolder } from '#server/operate/backup/places.ts'
import { examineBackups } from '#server/operate/doctor/backups.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kb-drafts-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Returns the id of a process that has ended. */
async function deadProcess(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  await once(child, 'exit')
  return child.pid ?? 0
}

const draftBy = (pid: number, name: string) =>
  basename(draftOf(join(folder, name))).replace(`-${process.pid}-`, `-${pid}-`)
const ofDead = async (name: string) => draftBy(await deadProcess(), name)

test('the next backup removes the draft of a killed one, but not of a running one', async () => {
  const alive = draftBy(process.ppid, 'a.tar')
  const elsewhere = `.b.tar.unfinished-${await deadProcess()}-another-host`
  const old = `.c.tar.unfinished-${process.ppid}-another-host`
  const others = ['.unfinished', 'notes.unfinished-1', '.e.tar.unfinished-x']
  for (const name of [alive, elsewhere, old, await ofDead('f.tar'), ...others])
    await writeFile(join(folder, name), 'keys')
  const longAgo = new Date(Date.now() - 25 * 60 * 60 * 1000)
  await utimes(join(folder, old), longAgo, longAgo)
  await openFolder(folder).write('whole.tar', Readable.from([Buffer.from('all')]))
  const left = [alive, elsewhere, ...others, 'whole.tar'].toSorted()
  expect((await readdir(folder)).toSorted()).toEqual(left)
  expect((await stat(join(folder, 'whole.tar'))).mode & 0o777).toBe(0o600)
})

test('only its owner can read an archive while it is written', async () => {
  const modes: number[] = []
  const pieces = async function* () {
    yield Buffer.from('first')
    const [draft = ''] = await readdir(folder)
    modes.push((await stat(join(folder, draft))).mode & 0o777)
    expect(await clearDeadDrafts(folder)).toBe(0)
  }
  await openFolder(folder).write('whole.tar', Readable.from(pieces()))
  expect(modes).toEqual([0o600])
})

test('the doctor names drafts of killed backups, and a place that is not writable', async () => {
  const name = await ofDead('a.tar')
  await writeFile(join(folder, name), 'keys')
  const settings = { BACKUP_URL: { folder }, DATA_DIR: join(folder, 'data') }
  expect(await examineBackups(settings)).toEqual([
    { part: 'BACKUP_URL', state: 'ok', says: `${folder} can be read and written` },
    { part: 'backups', state: 'note', says: expect.stringContaining(name) },
  ])
  const absent = { ...settings, BACKUP_URL: { folder: join(folder, 'absent') } }
  expect(await examineBackups(absent)).toMatchObject([{ state: 'note' }])
  expect(await examineBackups({ ...settings, BACKUP_URL: undefined })).toEqual([])
})
