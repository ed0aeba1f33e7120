/** Tests uploads and downloads of resources, and who may download the file of a lesson. */
import { randomBytes } from 'node:crypto'
import { readdir, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { connect as connectSocket } from 'node:net'
import { join } from 'node:path'
import { Upload as TusClient } from 'tus-js-client'
import { describe, expect, test } from 'vitest'
import type { UploadedResource } from '#contract/files.ts'
import { RESOURCE_BYTES, UPLOAD_QUOTA_BYTES } from '#contract/limits.ts'
import { claimUpload, clearUnattached, releaseUpload } from '#server/platform/files/resources.ts'
import { createDiskStorage } from '#server/platform/files/places/disk.ts'
import { newId } from '#server/kernel/ids.ts'
import type { Person } from '#server/testing/app.ts'
import { formOf, uploadFile } from '#server/testing/http/forms.ts'
import { bearer, sha } from '#server/testing/http/uploads.ts'
import { signUpAll } from '#server/testing/people.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp()
const folder = join(app.dataDir, 'files')
const { db, storage } = app.app.core
const { ann, bob, hoarder } = await signUpAll(app, 'ann', 'bob', 'hoarder')

const PATH = '/api/upload/resource'
const CONTENT = 'what is in it'

const post = (as: Person, name: string, bytes: Uint8Array) => {
  const form = formOf({ file: new File([new Uint8Array(bytes)], name) })
  return app.call<UploadedResource>('POST', '/upload/resource', { as, form })
}
const upload = (as: Person, name = 'plan.txt') => uploadFile(app, as, name, CONTENT)

const claim = ({ session }: Person, url: string, lessonId: number) =>
  db.transaction().execute((tx) => claimUpload(tx, { ownerId: session._id, url, lessonId }))
const release = (lessonId: number) => db.transaction().execute((tx) => releaseUpload(tx, lessonId))

/** Publishes a lesson of Ann with a file. */
async function attached() {
  const url = await upload(ann)
  const { id } = await app.publishLesson(ann, { resources: url })
  return { url, id }
}

const countRows = async () => (await db.selectFrom('uploads').select('id').execute()).length
const get = (path: string, headers: Record<string, string> = bearer(ann), method = 'GET') =>
  fetch(app.url + path, { method, headers })
const statusOf = async (path: string) => (await get(path)).status
const hashOf = async (path: string) => sha(Buffer.from(await (await get(path)).arrayBuffer()))

describe('a resource', () => {
  test('is a download for those who may see its lesson, and closed to others', async () => {
    const { url, id } = await attached()
    const guest = await get(url, {})
    expect([guest.status, guest.headers.get('content-type')]).toEqual([
      401,
      'application/problem+json; charset=utf-8',
    ])
    expect(await guest.text()).not.toContain(CONTENT)
    for (const method of ['GET', 'HEAD'])
      for (const headers of [bearer(bob), { cookie: bob.cookie }]) {
        const stranger = await get(url, headers, method)
        expect([stranger.status, stranger.headers.get('content-disposition')]).toEqual([403, null])
      }
    await app.give(bob, 100)
    expect((await app.call('POST', `/lesson/buy/${id}`, { as: bob })).status).toBe(200)
    for (const headers of [bearer(bob), { cookie: bob.cookie }, bearer(ann)]) {
      const response = await get(url, headers)
      expect([response.status, await response.text()]).toEqual([200, CONTENT])
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-disposition': `attachment; filename="plan.txt"; filename*=UTF-8''plan.txt`,
        'content-type': 'application/octet-stream',
        'content-length': '13',
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'",
      })
    }
  })

  test('that the disk has lost or truncated is not found', async () => {
    const url = await upload(ann)
    const file = join(folder, 'resources', url.split('/')[3] ?? '')
    for (const break_ of [() => truncate(file, 3), () => truncate(file, 0), () => rm(file)]) {
      await break_()
      expect(await statusOf(url)).toBe(404)
    }
  })

  test('supports ranges', async () => {
    const url = await upload(ann)
    const part = async (range: string, more: Record<string, string> = {}) => {
      const response = await get(url, { ...bearer(ann), range, ...more })
      const text = await response.text()
      return [response.status, response.headers.get('content-range'), response.ok ? text : '']
    }
    expect(await part('bytes=0-3')).toEqual([206, 'bytes 0-3/13', 'what'])
    expect(await part('bytes=11-')).toEqual([206, 'bytes 11-12/13', 'it'])
    expect(await part('bytes=-2')).toEqual([206, 'bytes 11-12/13', 'it'])
    expect(await part('bytes=11-99')).toEqual([206, 'bytes 11-12/13', 'it'])
    expect(await part('bytes=13-')).toEqual([416, 'bytes */13', ''])
    expect(await part('bytes=-0')).toEqual([416, 'bytes */13', ''])
    for (const nonsense of ['bytes=3-1', 'bytes=-', 'bytes=0-1,3-4', 'lines=1-2'])
      expect(await part(nonsense)).toEqual([200, null, CONTENT])
    expect(await part('bytes=0-3', { 'if-range': '"another"' })).toEqual([200, null, CONTENT])
    const head = await get(url, bearer(ann), 'HEAD')
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '13'])
  })
})

describe('an upload in one request', () => {
  test('needs a file that is not empty', async () => {
    const refused = { status: 400, body: [{ code: 'fileRequired', field: 'file' }] }
    const none = { as: ann, form: formOf({ note: 'ignored' }) }
    expect(await app.call('POST', '/upload/resource', none)).toMatchObject(refused)
    expect(await post(ann, 'empty.txt', Buffer.alloc(0))).toMatchObject(refused)
    expect(await app.call('POST', '/upload/resource', { as: ann, json: {} })).toMatchObject({
      status: 415,
      body: [{ code: 'unsupportedType' }],
    })
  })

  test('of exactly 50 MB is accepted; one byte more is refused and leaves nothing', async () => {
    const bytes = Buffer.alloc(RESOURCE_BYTES + 1, 'x')
    expect((await post(ann, 'full.bin', bytes.subarray(1))).body.size).toBe(RESOURCE_BYTES)
    const before = await countRows()
    expect(await post(ann, 'over.bin', bytes)).toMatchObject({
      status: 413,
      body: [
        { code: 'fileTooLarge', description: 'The file must be at most 50 MB.', field: 'file' },
      ],
    })
    expect(await countRows()).toBe(before)
    expect(await readdir(join(folder, 'unfinished'))).toEqual([])
  })

  test('that is aborted leaves nothing', async () => {
    const before = await countRows()
    const socket = connectSocket(Number(new URL(app.url).port), '127.0.0.1')
    const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\n\r\n'
    socket.write(
      `POST ${PATH} HTTP/1.1\r\nhost: x\r\nauthorization: ${bearer(ann).authorization}\r\ncontent-type: multipart/form-data; boundary=b\r\ncontent-length: 5000000\r\n\r\n${head}`,
    )
    socket.write(Buffer.alloc(300_000))
    await expect.poll(countRows).toBe(before + 1)
    socket.destroy()
    await expect.poll(countRows).toBe(before)
    expect(await readdir(join(folder, 'unfinished'))).toEqual([])
  })

  test.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\fakepath\\Отчёт 1.pdf', 'Отчёт 1.pdf'],
    ['a\u0000b\u202egnp.exe', 'abgnp.exe'],
    ['  ..  ', 'file'],
    ['"quoted"; x=y.txt', '"quoted"; x=y.txt'],
  ])('cleans the name %j', async (given, kept) => {
    // Browsers escape only quotes in file names.
    const name = given.replaceAll('\\', '\\\\').replaceAll('"', '%22')
    const response = await fetch(`${app.url}${PATH}`, {
      method: 'POST',
      body: `--b\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\nx\r\n--b--\r\n`,
      headers: { ...bearer(ann), 'content-type': 'multipart/form-data; boundary=b' },
    })
    const answer = (await response.json()) as UploadedResource
    expect(answer.name.replaceAll('%22', '"')).toBe(kept)
    const disposition = (await get(answer.url)).headers.get('content-disposition') ?? ''
    expect(decodeURIComponent(disposition.split("''")[1] ?? '')).toBe(answer.name)
  })

  test('cuts a long name and keeps its ending', async () => {
    for (const letter of ['a', 'я', '語', '👩‍🏫']) {
      const { name, url } = (await post(ann, `${letter.repeat(270)}.pdf`, Buffer.from('x'))).body
      expect(name.endsWith(`${letter}.pdf`)).toBe(true)
      expect([...name].length).toBeLessThanOrEqual(255)
      expect(url.length).toBeLessThanOrEqual(2000)
      expect(await statusOf(url)).toBe(200)
    }
  })
})

describe('an upload in pieces', () => {
  const TUS = { ...bearer(ann), 'tus-resumable': '1.0.0' }
  const create = (size: number, headers: Record<string, string> = {}) =>
    fetch(`${app.url}${PATH}`, {
      method: 'POST',
      headers: {
        ...TUS,
        'upload-length': `${size}`,
        'upload-metadata': `filename ${Buffer.from('план.pdf').toString('base64')}`,
        ...headers,
      },
    })
  const patch = (path: string, offset: number, body: string) =>
    fetch(app.url + path, {
      method: 'PATCH',
      headers: {
        ...TUS,
        'upload-offset': `${offset}`,
        'content-type': 'application/offset+octet-stream',
      },
      body,
    })
  const head = (path: string) => get(path, TUS, 'HEAD')
  const started = async (size: number) => {
    const response = await create(size)
    expect(response.status).toBe(201)
    return response.headers.get('location') ?? ''
  }

  test('needs a bearer token, a valid size and a known kind to begin', async () => {
    const before = await countRows()
    const codeOf = async (answer: Response) => {
      const [error] = (await answer.json()) as { code: string; field?: string }[]
      return [answer.status, error?.code]
    }
    const cookie = { authorization: '', cookie: ann.cookie }
    expect((await create(10, cookie)).status).toBe(401)
    expect(await codeOf(await create(RESOURCE_BYTES + 1))).toEqual([413, 'fileTooLarge'])
    expect(await codeOf(await create(0))).toEqual([400, 'fileRequired'])
    for (const headers of [
      { 'upload-length': '-1' },
      { 'upload-length': 'x' },
      { 'tus-resumable': '2.0.0' },
      { 'upload-metadata': 'a,a' },
    ])
      expect(await codeOf(await create(10, headers))).toEqual([400, 'badRequest'])
    const unknown = { ...TUS, 'upload-defer-length': '1' }
    for (const answer of [
      await create(10, { 'upload-concat': 'partial' }),
      await create(10, { 'upload-concat': `final;${PATH}/a ${PATH}/b` }),
      await create(10, { 'upload-defer-length': '1' }),
      await fetch(`${app.url}${PATH}`, { method: 'POST', headers: unknown }),
    ])
      expect(await codeOf(answer)).toEqual([400, 'uploadKindUnknown'])
    expect(await countRows()).toBe(before)
  })

  test('continues where it was, and ends with a URL', async () => {
    const path = await started(10)
    const first = await patch(path, 0, '01234')
    expect([
      first.status,
      first.headers.get('upload-offset'),
      first.headers.get('access-control-allow-origin'),
    ]).toEqual([204, '5', null])
    expect((await patch(path, 3, '34')).status).toBe(409)
    expect((await patch(path, 5, '5678901')).status).toBe(413)
    const offset = Number((await head(path)).headers.get('upload-offset'))
    const last = await patch(path, offset, '0123456789'.slice(offset))
    const resource = (await last.json()) as UploadedResource
    expect(last.status).toBe(200)
    expect(resource).toMatchObject({ name: 'план.pdf', size: 10 })
    expect(last.headers.get('x-resource-url')).toBe(resource.url)
    expect(await (await get(resource.url)).text()).toBe('0123456789')
    const { status, headers } = await head(path)
    const again = [status, headers.get('upload-offset'), headers.get('x-resource-url')]
    expect(again).toEqual([200, '10', resource.url])
  })

  test('is no resource before it is complete', async () => {
    const path = await started(10)
    await patch(path, 0, '01234')
    const address = `/files/resources/${path.split('/').at(-1)}/%D0%BF%D0%BB%D0%B0%D0%BD.pdf`
    expect(await statusOf(address)).toBe(404)
    await expect(claim(ann, address, 900)).rejects.toMatchObject({ key: 'uploadUnknown' })
  })

  test('cut off in the middle is resumed by the client', async () => {
    const bytes = randomBytes(6_000_000)
    const path = await started(bytes.length)
    const socket = connectSocket(Number(new URL(app.url).port), '127.0.0.1')
    socket.write(
      `PATCH ${path} HTTP/1.1\r\nhost: x\r\nauthorization: ${bearer(ann).authorization}\r\ntus-resumable: 1.0.0\r\nupload-offset: 0\r\ncontent-type: application/offset+octet-stream\r\ncontent-length: ${bytes.length}\r\n\r\n`,
    )
    socket.write(bytes.subarray(0, 3_000_000))
    const file = join(folder, 'resources', path.split('/').at(-1) ?? '')
    await expect.poll(async () => (await stat(file)).size).toBeGreaterThan(2_000_000)
    socket.destroy()
    const sent: number[] = []
    const body = await new Promise<string>((resolve, reject) => {
      const client = new TusClient(bytes, {
        uploadUrl: app.url + path,
        headers: bearer(ann),
        retryDelays: [100, 500],
        onProgress: (done) => sent.push(done),
        onSuccess: ({ lastResponse }) => resolve(lastResponse.getBody()),
        onError: reject,
      })
      client.start()
    })
    expect(sent[0]).toBeGreaterThan(2_000_000)
    const resource = JSON.parse(body) as UploadedResource
    expect(await hashOf(resource.url)).toBe(sha(bytes))
  })

  test('may be deleted until a lesson has it', async () => {
    const drop = (path: string) => get(path, TUS, 'DELETE')
    const path = await started(4)
    const last = await patch(path, 0, 'done')
    const { url } = (await last.json()) as UploadedResource
    await claim(ann, url, 901)
    expect((await drop(path)).status).toBe(409)
    await release(901)
    expect((await drop(path)).status).toBe(204)
    expect((await head(path)).status).toBe(404)
    expect(await statusOf(url)).toBe(404)
  })
})

test("a person's space ends at 1 GB, also for concurrent uploads", async () => {
  const pieces = Math.floor(UPLOAD_QUOTA_BYTES / RESOURCE_BYTES)
  const left = UPLOAD_QUOTA_BYTES - pieces * RESOURCE_BYTES
  const rows = [...Array.from({ length: pieces }, () => RESOURCE_BYTES), left - 30].map((size) => ({
    id: newId(),
    owner_id: hoarder.session._id,
    name: 'x',
    size,
  }))
  await db.insertInto('uploads').values(rows).execute()
  const headers = { ...bearer(hoarder), 'tus-resumable': '1.0.0', 'upload-length': '10' }
  const create = () => fetch(`${app.url}${PATH}`, { method: 'POST', headers })
  const answers = await Promise.all(Array.from({ length: 10 }, create))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
  const refused = answers.find(({ status }) => status !== 201)
  expect([refused?.status, await refused?.json()]).toMatchObject([413, [{ code: 'uploadQuota' }]])
  expect(await post(hoarder, 'a.txt', Buffer.from('a'))).toMatchObject({
    status: 413,
    body: [{ code: 'uploadQuota' }],
  })
  expect((await post(bob, 'a.txt', Buffer.from('a'))).status).toBe(200)
})

describe('a lesson', () => {
  test("cannot name another person's, an unknown or a used upload, however it is spelled", async () => {
    const [resources, { url: used }] = [await upload(bob), await attached()]
    for (const address of [used, `/files/resources/${newId()}/x`, '/files/resources/x/y'])
      await expect(claim(ann, address, 801), address).rejects.toMatchObject({
        status: 400,
        fields: { resources: 'uploadUnknown' },
      })
    const { port } = new URL(app.url)
    const id = resources.split('/')[3] ?? ''
    for (const spelling of [
      used,
      resources,
      app.url + resources,
      `http://BAZAAR.example:${port}${resources}`,
      `https://bazaar.example${resources}`,
      `${app.url}/FILES/resources/${id.toUpperCase()}/plan.txt`,
      `${app.url}//files//resources//${id}/plan.txt`,
      `${app.url}/%66iles/resources/${id.replace('-', '%2d')}/plan.txt`,
      `${app.url}/%2566iles/resources/${id}/plan.txt`,
      `${app.url}\\files\\resources\\${id}`,
      `${app.url}${resources}?x#y`,
      `${app.url}/files/./resources/${id}/plan.txt`,
      `${app.url}/files/x/../resources/%2e/${id}/plan.txt`,
    ])
      await expect(app.publishLesson(ann, { resources: spelling }), spelling).rejects.toThrow(
        'uploadUnknown',
      )
  })

  test("can claim one's own upload by its full URL or its path, and keeps it", async () => {
    const resources = await upload(ann)
    const { id } = await app.publishLesson(ann, { resources: app.url + resources })
    const kept = async () =>
      (await app.call<{ resources: string }>('GET', `/lesson/${id}`, { as: ann })).body.resources
    expect(await kept()).toBe(resources)
    const form = formOf({ resources: app.url + resources })
    expect((await app.call('PATCH', `/lesson/${id}`, { as: ann, form })).status).toBe(200)
    expect(await kept()).toBe(resources)
    // An administrator may edit the lesson.
    expect(await claim(bob, resources.replace('plan.txt', 'else.txt'), id)).toBe(resources)
    await app.publishLesson(ann, { resources: 'https://files.example/files/resources/plan.pdf' })
  })

  test('gets an upload that two claim at once only once', async () => {
    const mine = await upload(ann)
    const results = await Promise.allSettled([claim(ann, mine, 804), claim(ann, mine, 805)])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })
})

test('a start removes day-old unfinished files, and nothing in progress', async () => {
  const unfinished = join(folder, 'unfinished')
  const dayAgo = new Date(Date.now() - 25 * 60 * 60 * 1000)
  for (const name of ['old', 'new']) await writeFile(join(unfinished, name), 'part of a file')
  await utimes(join(unfinished, 'old'), dayAgo, dayAgo)
  await createDiskStorage(folder)
  expect(await readdir(unfinished)).toEqual(['new'])
  await rm(join(unfinished, 'new'))
})

test('clearing removes what no lesson used for 24 hours', async () => {
  await db.deleteFrom('uploads').execute()
  app.clock.time = new Date()
  const [free, used, released] = [await upload(ann), await attached(), await attached()]
  await release(released.id)
  const day = app.clock.time.getTime() + 24 * 3_600_000
  const clearAt = (ms: number) => clearUnattached(db, storage, { now: () => new Date(ms) })
  expect(await clearAt(day)).toBe(0)
  app.clock.time = new Date(app.clock.time.getTime() + 1000)
  const fresh = await upload(ann)
  expect(await clearAt(day + 1)).toBe(2)
  const urls = [free, used.url, released.url, fresh]
  expect(await Promise.all(urls.map(statusOf))).toEqual([404, 200, 404, 200])
  expect(await storage.sizeOf(`resources/${free.split('/')[3]}`)).toBeNull()
})
