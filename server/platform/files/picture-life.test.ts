/** Tests that pictures which nothing shows are no longer served. */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { Session } from '#contract/accounts.ts'
import { PICTURE_QUOTA_BYTES } from '#contract/limits.ts'
import type { Lesson } from '#contract/lessons.ts'
import { lookAtPicture } from '#server/platform/files/picture-life.ts'
import { createPictures } from '#server/platform/files/pictures.ts'
import { createAvifMaker, sweepDrawer, sweepPictures } from '#server/platform/files/picture-jobs.ts'
import { createDiskStorage } from '#server/platform/files/places/disk.ts'
import type { Storage } from '#server/platform/core/storage.ts'
import type { Person } from '#server/testing/app.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { newPicture, sendFace } from '#server/testing/http/uploads.ts'
import { setUser } from '#server/testing/rows.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp()
const folder = join(app.dataDir, 'files')
const storage = await createDiskStorage(folder)

async function register(username: string, image: File): Promise<Person> {
  const password = `secret of ${username} 1`
  const form = formOf({ username, email: `${username}@people.example`, password, image })
  const { status, headers, body } = await app.call<Session>('POST', '/identity/register', { form })
  expect(status).toBe(200)
  return { session: body, cookie: headers.getSetCookie()[0]?.split(';')[0] ?? '', password }
}

const publish = async (as: Person, image: File) => app.publishLesson(as, {}, image)

const keyOf = (path: string) => /pictures\/([0-9a-f]{40})\//.exec(path)?.[1] ?? ''
/** Returns all URLs of a picture. */
const addressesOf = (path: string) =>
  [320, 640, 1280].flatMap((width) =>
    ['webp', 'avif'].map((format) => `/files/pictures/${keyOf(path)}/${width}.${format}`),
  )
const statusOf = async (path: string) => (await fetch(app.url + path)).status
const statusesOf = async (path: string) =>
  new Set(await Promise.all(addressesOf(path).map(statusOf)))
const served = async (path: string) => (await statusesOf(path)).has(200)
const allServed = async (path: string) => !(await statusesOf(path)).has(404)
const rowsOf = async (path: string) =>
  app.app.database.db
    .selectFrom('pictures')
    .selectAll()
    .where('key', '=', keyOf(path))
    .orderBy('id')
    .execute()
const setDue = (path: string) =>
  app.app.database.db
    .updateTable('pictures')
    .set({ look_at: new Date(0) })
    .where('key', '=', keyOf(path))
    .execute()
const sweep = () => sweepPictures(app.app.database.db, storage, app.clock)
const foldersOf = async (path: string) =>
  (await readdir(join(folder, 'pictures'))).filter((name) => name === keyOf(path))

test('the picture of a registration gets its owner, and is removed when another replaces it', async () => {
  const ann = await register('ann', await newPicture())
  const face = ann.session.imageUrl
  expect((await rowsOf(face)).map((row) => row.owner_id)).toEqual([ann.session._id])
  expect(await allServed(face)).toBe(true)
  expect((await sendFace(app, ann, await newPicture())).status).toBe(200)
  await app.runJobs()
  expect([await served(face), await rowsOf(face), await foldersOf(face)]).toEqual([false, [], []])
})

test.each(['lesson', 'course'] as const)(
  'the cover of a %s is removed when it is replaced and with its item',
  async (kind) => {
    const cara = await app.signUp(`cara-${kind}`)
    const { id } = await (kind === 'lesson' ? app.publishLesson(cara) : app.publishCourse(cara))
    const change = async () => {
      const form = formOf({ image: await newPicture() })
      const { body } = await app.call<Lesson>('PATCH', `/${kind}/${id}`, { as: cara, form })
      return body.thumbnail
    }
    const [first, second] = [await change(), await change()]
    await app.runJobs()
    expect([await served(first), await allServed(second)]).toEqual([false, true])
    await app.call('DELETE', `/${kind}/${id}`, { as: cara })
    await app.runJobs()
    expect(await served(second)).toBe(false)
  },
)

test('a picture with several uses stays until the last one releases it', async () => {
  const image = await newPicture()
  const [dan, eva] = [await register('dan', image), await register('eva', image)]
  expect(eva.session.imageUrl).toBe(dan.session.imageUrl)
  await sendFace(app, dan, await newPicture())
  await app.runJobs()
  expect(await allServed(eva.session.imageUrl)).toBe(true)
  await sendFace(app, eva, await newPicture())
  await app.runJobs()
  expect(await served(eva.session.imageUrl)).toBe(false)
})

test('a cover that an administrator sets belongs to the owner of the item', async () => {
  const [fay, guy] = [await app.signUp('fay'), await app.signUp('guy')]
  await setUser(app, guy, { role: 'administrator' })
  const { id } = await app.publishLesson(fay)
  const form = formOf({ image: await newPicture(), reason: 'It showed somebody else' })
  const edited = await app.call<Lesson>('PATCH', `/lesson/${id}`, { as: guy, form })
  const owners = (await rowsOf(edited.body.thumbnail)).map((row) => row.owner_id)
  expect(owners).toEqual([fay.session._id])
})

test('a picture that is never used is removed within the hour', async () => {
  const hal = await app.signUp('hal')
  const { db } = app.app.database
  const { pictureId } = await createPictures(db, storage)(await newPicture(), hal.session._id)
  const { key } = await db
    .selectFrom('pictures')
    .select('key')
    .where('id', '=', pictureId)
    .executeTakeFirstOrThrow()
  const path = `/files/pictures/${key}/640.webp`
  await sweep()
  // A request for it may be running.
  expect(await allServed(path)).toBe(true)
  await setDue(path)
  await sweep()
  expect([await served(path), await rowsOf(path)]).toEqual([false, []])
})

test('a person has 200 MB for pictures', async () => {
  const ida = await register('ida', await newPicture())
  const full = (bytes: number) =>
    app.app.database.db
      .updateTable('pictures')
      .set({ bytes })
      .where('owner_id', '=', ida.session._id)
      .execute()
  await full(PICTURE_QUOTA_BYTES)
  const refused = await sendFace(app, ida, await newPicture())
  expect([refused.status, refused.body]).toEqual([
    413,
    [expect.objectContaining({ code: 'pictureQuota', field: 'image' })],
  ])
  expect(await allServed(ida.session.imageUrl)).toBe(true)
  await full(PICTURE_QUOTA_BYTES - 100_000)
  expect((await sendFace(app, ida, await newPicture())).status).toBe(200)
})

test('a job makes AVIF, and its URL works from the beginning', async () => {
  const noa = await app.signUp('noa')
  const { thumbnail } = await publish(noa, await newPicture(1400))
  const avif = app.url + thumbnail.replace('.webp', '.avif')
  const ask = async () => {
    const response = await fetch(avif)
    const { headers } = response
    const bytes = Buffer.from(await response.arrayBuffer())
    return {
      type: headers.get('content-type'),
      kept: headers.get('cache-control'),
      etag: headers.get('etag'),
      vary: headers.get('vary') ?? '',
      found: (await sharp(bytes).metadata()).mediaType,
    }
  }
  const before = await ask()
  expect(before).toMatchObject({
    type: 'image/webp',
    found: 'image/webp',
    kept: 'public, max-age=60',
  })
  const [alone] = await rowsOf(thumbnail)
  await app.runJobs()
  const after = await ask()
  expect(after).toMatchObject({
    type: 'image/avif',
    found: 'image/avif',
    kept: 'public, max-age=31536000, immutable',
  })
  expect(after.etag).not.toBe(before.etag)
  expect(after.vary).not.toMatch(/accept(?!-)/i)
  const [row] = await rowsOf(thumbnail)
  expect(row?.bytes).toBeGreaterThan(alone?.bytes ?? 0)
})

test('no AVIF is made of a removed picture', async () => {
  const { db } = app.app.database
  const { pictureId } = await createPictures(db, storage)(await newPicture(), null)
  const [row] = await db.selectFrom('pictures').selectAll().where('id', '=', pictureId).execute()
  const path = `/files/pictures/${row?.key ?? ''}/640.webp`
  await lookAtPicture(db, storage, pictureId, { now: true })
  const make = createAvifMaker(db, storage)
  await make({ pictureId }, { signal: AbortSignal.abort(), attempt: 1, maxAttempts: 1 })
  expect([await served(path), await foldersOf(path)]).toEqual([false, []])
})

test('a shown picture without an owner gets one, and one that nothing shows is removed', async () => {
  const jan = await register('jan', await newPicture())
  const face = jan.session.imageUrl
  const lesson = await publish(jan, await newPicture())
  const { db } = app.app.database
  for (const path of [face, lesson.thumbnail])
    await db
      .updateTable('pictures')
      .set({ owner_id: null, bytes: 0, look_at: new Date(0) })
      .where('key', '=', keyOf(path))
      .execute()
  const { pictureId } = await createPictures(db, storage)(await newPicture(), null)
  await db
    .updateTable('pictures')
    .set({ look_at: new Date(0) })
    .where('id', '=', pictureId)
    .execute()
  await sweep()
  for (const path of [face, lesson.thumbnail]) {
    const [row] = await rowsOf(path)
    expect(row?.owner_id).toBe(jan.session._id)
    expect(row?.bytes).toBeGreaterThan(100)
    expect(row?.look_at.getTime()).toBeGreaterThan(Date.now())
    expect(await allServed(path)).toBe(true)
  }
  const gone = db.selectFrom('pictures').select('id').where('id', '=', pictureId)
  expect(await gone.execute()).toEqual([])
})

test('files without a row are found and removed', async () => {
  const kim = await register('kim', await newPicture())
  const stray = 'ab'.repeat(20)
  await mkdir(join(folder, 'pictures', stray))
  for (const name of ['share.jpg', '640.webp'])
    await writeFile(join(folder, 'pictures', stray, name), 'left behind')
  const { db } = app.app.database
  await sweepDrawer(db, storage, 'ab')
  await sweepDrawer(db, storage, keyOf(kim.session.imageUrl).slice(0, 2))
  expect((await readdir(join(folder, 'pictures'))).includes(stray)).toBe(false)
  expect(await allServed(kim.session.imageUrl)).toBe(true)
})

test('a picture whose files were lost is complete again after the next upload of it', async () => {
  const image = await newPicture()
  const lia = await register('lia', image)
  await rm(join(folder, 'pictures', keyOf(lia.session.imageUrl)), { recursive: true })
  expect(await served(lia.session.imageUrl)).toBe(false)
  const max = await register('max', image)
  expect(max.session.imageUrl).toBe(lia.session.imageUrl)
  expect(await allServed(lia.session.imageUrl)).toBe(true)
})

test('concurrent uploads and removals of equal content keep rows and files consistent', async () => {
  const { db } = app.app.database
  // On a slow disk every step of a removal meets every step of an upload.
  const slow: Storage = {
    ...storage,
    remove: (key) => sleep(20).then(() => storage.remove(key)),
    put: (key, content) => sleep(10).then(() => storage.put(key, content)),
  }
  const nodes = [createPictures(db, storage), createPictures(db, slow)]
  for (let round = 0; round < 12; round += 1) {
    const image = await newPicture()
    const [first] = await Promise.all(nodes.map((store) => store(image, null)))
    const { rows } = await sql<{ id: number; key: string }>`
      select id, key from pictures where key = (select key from pictures where id = ${first?.pictureId ?? 0})`.execute(
      db,
    )
    const key = rows[0]?.key ?? ''
    const path = `/files/pictures/${key}/640.webp`
    const removals = rows.map(({ id }) => lookAtPicture(db, slow, id, { now: true }))
    await sleep(round * 6)
    const uploads = nodes.map((store) => store(image, null))
    await Promise.all([...removals, ...uploads])
    expect((await rowsOf(path)).length, key).toBe(2)
    expect(await allServed(path), `${key} in round ${round}`).toBe(true)
    for (const { id } of await rowsOf(path)) await lookAtPicture(db, slow, id, { now: true })
    expect(await foldersOf(path)).toEqual([])
  }
}, 120_000)
