/** Tests the product with its files in a bucket, through its HTTP interface. */
import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import { beforeEach, expect, test } from 'vitest'
import type { UploadedResource } from '#contract/files.ts'
import { sweepPictures } from '#server/platform/files/picture-jobs.ts'
import { clearUnattached } from '#server/platform/files/resources.ts'
import { collect, startS3 } from '#server/testing/s3/server.ts'
import { bearer, newPicture, sendFace, sendInPieces, sha } from '#server/testing/http/uploads.ts'
import { closeAtEnd, openTestApp } from '#server/testing/setup.ts'
import { formOf } from '#server/testing/http/forms.ts'

const s3 = closeAtEnd(await startS3())
const app = await openTestApp({ S3_URL: s3.url })
const ann = await app.signUp('ann')
beforeEach(() => {
  s3.mood = 'well'
})

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(app.url + path, { headers, redirect: 'manual' })

function sendFile(bytes: Uint8Array) {
  const form = formOf({ file: new File([new Uint8Array(bytes)], 'план 1.pdf') })
  return app.call<UploadedResource>('POST', '/upload/resource', { as: ann, form })
}

async function download(path: string, headers: Record<string, string> = bearer(ann)) {
  const answer = await get(path, headers)
  const link = answer.headers.get('location')
  if (link === null) throw new Error(`no redirect, but ${answer.status}`)
  const range = headers['range'] === undefined ? {} : { range: headers['range'] }
  const response = await fetch(link, { headers: range })
  return { answer, link: new URL(link), response, bytes: Buffer.from(await response.arrayBuffer()) }
}

test('a picture is in the bucket under the same key as on a disk, and is served by us', async () => {
  const path = ann.session.imageUrl
  const answer = await get(path)
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([
    200,
    'public, max-age=31536000, immutable',
  ])
  expect((await sharp(Buffer.from(await answer.arrayBuffer())).metadata()).format).toBe('webp')
  const key = path.split('/')[3] ?? ''
  expect(await collect(app.app.core.storage.list(`pictures/${key}/`))).toContain(
    path.replace('/files/', ''),
  )
  expect(await readdir(join(app.dataDir, 'files'))).not.toContain('pictures')
})

test('a picture is read from the bucket once, however often it is shown', async () => {
  const path = ann.session.imageUrl.replace(/\d+\.webp$/, '1280.avif')
  const key = path.split('/')[3] ?? ''
  const asked = () => s3.requests.filter((each) => each.includes(key)).length
  const before = asked()
  const answers = await Promise.all(Array.from({ length: 10 }, () => get(path)))
  for (const answer of answers)
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([
      200,
      'public, max-age=60',
    ])
  expect(asked() - before).toBe(2)
  s3.mood = 'busy'
  expect((await get(path)).status).toBe(200)
  expect(asked() - before).toBe(2)
})

test('a removed picture is not served from memory half a minute later', async () => {
  const dan = await app.signUp('dan')
  await sendFace(app, dan, await newPicture())
  const { body } = await app.call<{ imageUrl: string }>(
    'GET',
    `/identity/userinformation/${dan.session._id}`,
  )
  expect((await get(body.imageUrl)).status).toBe(200)
  await sendFace(app, dan, await newPicture())
  await app.runJobs()
  app.clock.time = new Date(Date.now() + 30_000)
  expect((await get(body.imageUrl)).status).toBe(404)
  app.clock.time = null
})

test('a resource redirects to a link that is valid for a minute and has its file name', async () => {
  const bytes = randomBytes(300_000)
  const { url } = (await sendFile(bytes)).body
  const { answer, link, response, bytes: got } = await download(url)
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([302, 'private, no-store'])
  expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
  expect(link.searchParams.get('X-Amz-Expires')).toBe('60')
  expect(response.headers.get('content-type')).toBe('application/octet-stream')
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; .*filename\*=UTF-8''/)
  expect(response.headers.get('cache-control')).toBe('private, no-store')
  expect(got.equals(bytes)).toBe(true)
  const part = await download(url, { ...bearer(ann), range: 'bytes=10-19' })
  expect(part.bytes.equals(bytes.subarray(10, 20))).toBe(true)
  const head = await fetch(app.url + url, { method: 'HEAD', headers: bearer(ann) })
  expect([head.status, head.headers.get('content-length')]).toEqual([200, '300000'])
})

test('people who may not see the lesson get no link', async () => {
  const { url } = (await sendFile(randomBytes(1000))).body
  const lesson = await app.publishLesson(ann, { resources: url })
  const bob = await app.signUp('bob')
  expect((await get(url)).status).toBe(401)
  const refused = await get(url, bearer(bob))
  expect([refused.status, refused.headers.get('location')]).toEqual([403, null])
  await app.give(bob, 1000)
  expect((await app.call('POST', `/lesson/buy/${lesson.id}`, { as: bob })).status).toBe(200)
  expect((await get(url, bearer(bob))).status).toBe(302)
})

test('a resumable upload is complete, and leaves no companions', async () => {
  const bytes = randomBytes(13_000_000)
  const url = await sendInPieces(app, ann, bytes)
  const { bytes: got } = await download(url)
  expect(sha(got)).toBe(sha(bytes))
  expect(await s3.unfinished()).toEqual([])
  const id = url.split('/')[3] ?? ''
  expect(s3.requests.some((each) => each.endsWith(`${id}.info`))).toBe(true)
  expect(await app.app.core.storage.sizeOf(`resources/${id}.info`)).toBeNull()
})

test('an upload survives a bucket that is busy for a while', async () => {
  const bytes = randomBytes(9_000_000)
  const sent = sendInPieces(app, ann, bytes, 1_500_000)
  await expect
    .poll(() => s3.requests.filter((each) => /^PUT .*\.part$/.test(each)).length)
    .toBeGreaterThan(1)
  s3.mood = 'busy'
  setTimeout(() => (s3.mood = 'well'), 700)
  const { bytes: got } = await download(await sent)
  expect(sha(got)).toBe(sha(bytes))
})

const tus = (method: string, path: string, more: Record<string, string>, body?: Uint8Array) =>
  fetch(`${app.url}${path}`, {
    method,
    headers: { ...bearer(ann), 'tus-resumable': '1.0.0', ...more },
    body: body === undefined ? null : new Uint8Array(body),
  })

test('an aborted upload leaves no parts', async () => {
  const bytes = randomBytes(6_000_000)
  const begun = await tus('POST', '/api/upload/resource', { 'upload-length': '9000000' })
  const path = begun.headers.get('location') ?? ''
  const piece = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
  expect((await tus('PATCH', path, piece, bytes)).status).toBe(204)
  const head = await tus('HEAD', path, {})
  expect(head.headers.get('upload-offset')).toBe('6000000')
  expect(await s3.unfinished()).toHaveLength(1)
  expect((await tus('DELETE', path, {})).status).toBe(204)
  expect(await s3.unfinished()).toEqual([])
  expect((await tus('HEAD', path, {})).status).toBe(404)
})

test('an abandoned upload is swept, with its parts', async () => {
  const begun = await tus('POST', '/api/upload/resource', { 'upload-length': '9000000' })
  const id = begun.headers.get('location')?.split('/').at(-1) ?? ''
  await app.app.database.db
    .updateTable('uploads')
    .set({ created_at: new Date(0) })
    .where('id', '=', id)
    .execute()
  expect(await s3.unfinished()).toHaveLength(1)
  const { db, storage, clock } = app.app.core
  expect(await clearUnattached(db, storage, clock)).toBe(1)
  expect(await s3.unfinished()).toEqual([])
  expect(await app.app.core.storage.sizeOf(`resources/${id}.info`)).toBeNull()
})

test('a full bucket gives 507 with an explanation, and leaves no partial files', async () => {
  s3.mood = 'full'
  const refused = await sendFile(randomBytes(1000))
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([507, '30'])
  const ready: unknown = await (await fetch(`${app.url}/readyz`)).json()
  expect(ready).toMatchObject({ status: 'degraded', degraded: 'files-s3' })
  expect(JSON.stringify(ready)).toContain('the bucket is full. Make room in it')
  // Existing files can still be read.
  expect((await get(ann.session.imageUrl)).status).toBe(200)
  s3.mood = 'well'
  expect((await sendFile(randomBytes(1000))).status).toBe(200)
  expect(await (await fetch(`${app.url}/readyz`)).json()).toEqual({ status: 'ready' })
})

test('without S3 files give 503, the state reports it, and pages work', async () => {
  const rows = () => app.app.database.db.selectFrom('pictures').select('id').orderBy('id').execute()
  const before = await rows()
  s3.mood = 'busy'
  const image = await newPicture()
  const face = await sendFace(app, ann, image)
  expect([face.status, face.headers.get('retry-after')]).toEqual([503, '5'])
  expect((await app.call('GET', '/lesson/all')).status).toBe(200)
  const ready = await fetch(`${app.url}/readyz`)
  expect([ready.status, JSON.stringify(await ready.json())]).toEqual([
    200,
    expect.stringContaining('Look whether the server of S3_URL runs'),
  ])
  s3.mood = 'well'
  // The next sweep removes what was refused, including its row, and then the same picture is accepted.
  const { db, storage, clock } = app.app.core
  await sql`update pictures set look_at = now()`.execute(db)
  await sweepPictures(db, storage, clock)
  expect(await rows()).toEqual(before)
  expect((await sendFace(app, ann, image)).status).toBe(200)
})

test('a silent bucket is reported within a second, and recovers with its first answer', async () => {
  s3.mood = 'silent'
  // Takes the shortest of three, because other load on the machine only adds time.
  const waits: number[] = []
  while (waits.length < 3) {
    const begun = performance.now()
    const ready = await fetch(`${app.url}/readyz`)
    expect([ready.status, JSON.stringify(await ready.json())]).toEqual([
      200,
      expect.stringContaining('Look whether the server of S3_URL runs'),
    ])
    waits.push(performance.now() - begun)
  }
  expect(Math.min(...waits)).toBeLessThan(1000)
  s3.mood = 'well'
  expect(await (await fetch(`${app.url}/readyz`)).json()).toEqual({ status: 'ready' })
})
