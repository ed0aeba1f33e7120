/** Tests a full disk: writes are refused with an explanation, and reads go on. */
import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Problem } from '#contract/errors.ts'
import type { UploadedResource } from '#contract/files.ts'
import { openTestApp } from '#server/testing/setup.ts'
import { makeSmallDisk } from '#server/testing/small-disk.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { bearer, newPicture, sendFace } from '#server/testing/http/uploads.ts'

const MESSAGE =
  'We can’t save anything at the moment: our disk is full or refuses data. Please try again later.'

const disk = await makeSmallDisk(4)
afterAll(disk.end)
const app = await openTestApp({ DATA_DIR: disk.folder })
const ann = await app.signUp('ann')

const sendNewFace = async () => sendFace(app, ann, await newPicture(900))

function sendFile(size = 300_000) {
  const form = formOf({ file: new File([randomBytes(size)], 'plan.pdf') })
  return app.call<UploadedResource>('POST', '/upload/resource', { as: ann, form })
}

const tus = (method: string, path: string, more: Record<string, string>, body?: Uint8Array) =>
  fetch(`${app.url}${path}`, {
    method,
    headers: {
      ...bearer(ann),
      'tus-resumable': '1.0.0',
      ...more,
    },
    body: body === undefined ? null : new Uint8Array(body),
  })

const ready = async () => {
  const response = await fetch(`${app.url}/readyz`)
  return { status: response.status, body: await response.json() }
}

test('a full disk gives 507 with an explanation, reads continue, and writes recover', async () => {
  const { url: file } = (await sendFile()).body
  expect(await ready()).toEqual({ status: 200, body: { status: 'ready' } })
  const bytes = randomBytes(1_500_000)
  const begun = await tus('POST', '/api/upload/resource', { 'upload-length': `${bytes.length}` })
  const upload = begun.headers.get('location') ?? ''
  await disk.fill()

  const picture = await sendNewFace()
  expect([picture.status, picture.headers.get('retry-after'), picture.body]).toEqual([
    507,
    '30',
    [{ code: 'diskFull', description: MESSAGE }],
  ])
  expect((await sendFile(30_000_000)).status).toBe(507)
  const piece = {
    'upload-offset': '0',
    'content-type': 'application/offset+octet-stream',
  }
  const written = await tus('PATCH', upload, piece, bytes)
  expect([written.status, await written.json()]).toEqual([
    507,
    [{ code: 'diskFull', description: MESSAGE }],
  ])
  expect(await ready()).toEqual({
    status: 200,
    body: {
      status: 'degraded',
      degraded: 'files-disk, data-disk',
      says: { 'files-disk': 'is full', 'data-disk': 'is full' },
    },
  })
  // No partial files are left, and existing files are served.
  expect(await readdir(join(disk.folder, 'files', 'unfinished'))).toEqual([])
  expect((await fetch(app.url + ann.session.imageUrl)).status).toBe(200)
  expect((await fetch(app.url + file, { headers: bearer(ann) })).status).toBe(200)
  expect((await app.call('GET', '/lesson/all')).status).toBe(200)

  await disk.free()
  expect((await ready()).body).toEqual({ status: 'ready' })
  expect((await sendNewFace()).status).toBe(200)
  expect((await sendFile()).status).toBe(200)
  const head = await tus('HEAD', upload, {})
  const offset = Number(head.headers.get('upload-offset'))
  const rest = { ...piece, 'upload-offset': `${offset}` }
  expect((await tus('PATCH', upload, rest, bytes.subarray(offset))).status).toBe(200)
})

test('a refused picture leaves neither a row nor a file', async () => {
  const { db } = app.app.database
  const rows = () => db.selectFrom('pictures').select(['id', 'key']).execute()
  const before = await rows()
  const folders = await readdir(join(disk.folder, 'files', 'pictures'))
  await disk.fill()
  expect((await sendNewFace()).status).toBe(507)
  await disk.free()
  expect(await rows()).toEqual(before)
  expect(await readdir(join(disk.folder, 'files', 'pictures'))).toEqual(folders)
})

test('a full disk of the database gives the same message', async () => {
  const { pool } = app.app.database
  await pool.query(`create function disk_full() returns trigger language plpgsql
    as $$ begin raise exception using errcode = 'disk_full'; end $$`)
  await pool.query(
    `create trigger disk_full before insert on flags for each row execute function disk_full()`,
  )
  const { id } = await app.publishLesson(ann)
  const bob = await app.signUp('bob')
  const { status, headers, body } = await app.call<Problem>('POST', '/flag', {
    as: bob,
    json: { kind: 'lesson', id, text: 'Something is wrong here' },
  })
  expect([status, headers.get('retry-after'), body.title]).toEqual([507, '30', MESSAGE])
})
