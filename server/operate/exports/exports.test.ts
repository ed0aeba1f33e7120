import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { access } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { DataExport } from '#contract/exports.ts'
import { EXPORTS_BYTES } from '#contract/limits.ts'
import { PARTS } from '#server/operate/exports/archive.ts'
import { FIELD_WORDS, LIST_WORDS } from '#server/operate/exports/words.ts'
import { writeZip } from '#server/operate/exports/zip.ts'
import type { Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { uploadFile } from '#server/testing/http/forms.ts'
import { readZip } from '#server/testing/exports/zip.ts'
import { checksOf } from '#server/testing/learning/self-checks.ts'
import { signUpAll } from '#server/testing/people.ts'
import { openTestApp } from '#server/testing/setup.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const app = await openTestApp({ ACCESS_TOKEN_MINUTES: '10080' })
const { ann, bob } = await signUpAll(app, 'ann', 'bob')

const query = (text: string, values: readonly unknown[] = []) =>
  app.app.database.pool.query(text, [...values])
const show = (as: Person) => done<DataExport>(app, as, 'GET /identity/exports')
const ask = (as?: Person) => app.call<DataExport>('POST', '/identity/exports', { as })
const download = (address: string | null, cookie = '', headers: Record<string, string> = {}) =>
  fetch(`${app.url}${address}`, { headers: { cookie, ...headers }, redirect: 'manual' })
const textOf = (entries: Map<string, Buffer>, name: string) => entries.get(name)?.toString() ?? ''
const zipOf = async (answer: Response) => readZip(Buffer.from(await answer.arrayBuffer()))
const isStored = ({ session }: Person) =>
  access(join(app.dataDir, 'files', 'exports', session._id)).then(
    () => true,
    () => false,
  )

const upload = (as: Person, name: string, content: string) => uploadFile(app, as, name, content)

/** Records an upload of that size. */
async function makeLarge({ session }: Person, bytes = 30 * 1024 * 1024): Promise<void> {
  await query(
    `insert into uploads (id, owner_id, name, size, finished_at) values ($1, $2, 'large', $3, now())`,
    [randomUUID(), session._id, bytes],
  )
}

async function clear(): Promise<void> {
  await query(`select graphile_worker.add_job('clearExports')`)
  await app.runJobs()
}

test('a small archive can be downloaded without a request', async () => {
  expect(await show(bob)).toMatchObject({
    state: 'direct',
    url: '/files/exports/now',
    renewable: false,
  })
  const { status, body } = await ask(bob)
  expect([status, body]).toEqual([
    409,
    expect.objectContaining({ title: expect.stringMatching(/right away/) }),
  ])
})

test('the archive contains a page, the same as the JSON call, pictures and files', async () => {
  const url = await upload(ann, 'notes & «plans».txt', 'what I noted')
  await app.publishLesson(ann, { title: 'Salt <and> pepper', resources: url })
  await upload(ann, 'notes & «plans».txt', 'the same name again')
  const answer = await download((await show(ann)).url, ann.cookie)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-disposition')).toContain('filename="knowledge-bazaar.zip"')
  expect(answer.headers.get('cache-control')).toBe('private, no-store')
  const entries = await zipOf(answer)
  const json = await app.call('GET', '/identity/export', { as: ann })
  expect(JSON.parse(textOf(entries, 'data.json'))).toEqual(json.body)
  expect(textOf(entries, 'notes.md')).toMatch(/^# My notes from /)
  const names = [...entries.keys()]
  const files = names.filter((name) => name.startsWith('files/'))
  expect(files.map((name) => name.split('/')[2])).toEqual([
    'notes & «plans».txt',
    'notes & «plans».txt',
  ])
  expect(files.map((name) => textOf(entries, name))).toEqual([
    'what I noted',
    'the same name again',
  ])
  const pictures = names.filter((name) => name.startsWith('pictures/'))
  // Their picture, which was stored before the account, and the cover.
  expect(pictures).toHaveLength(2)
  for (const name of pictures) expect(entries.get(name)?.toString('latin1', 8, 12)).toBe('WEBP')
  const page = textOf(entries, 'index.html')
  expect(page).toContain('Salt &lt;and&gt; pepper')
  expect(page).toContain('<html lang="en">')
  expect(page).not.toMatch(/<script|src="(?!pictures\/)|href="(?!#|files\/)/)
  const places = [...page.matchAll(/(?:src|href)="((?:pictures|files)\/[^"]+)"/g)]
  expect(places.length).toBeGreaterThanOrEqual(4)
  for (const [, place = ''] of places) expect(names).toContain(decodeURIComponent(place))
})

test('the page is in the language of the person', async () => {
  await query(`update users set locale = 'bg' where id = $1`, [bob.session._id])
  const page = textOf(await zipOf(await download('/files/exports/now', bob.cookie)), 'index.html')
  expect(page).toContain('<html lang="bg">')
  expect(page).toContain('Отключени уроци')
})

test('every list and field of the JSON has a label on the page', async () => {
  const { db } = app.app.database
  expect(PARTS.map(({ name }) => name).filter((name) => !(name in LIST_WORDS))).toEqual([])
  const { body } = await app.call<{ person: { files: object[]; devices: object[] } }>(
    'GET',
    '/identity/export',
    { as: ann },
  )
  const fields = new Set([
    ...Object.keys(body.person),
    ...Object.keys(body.person.files[0] ?? {}),
    ...Object.keys(body.person.devices[0] ?? {}),
  ])
  for (const list of ['files', 'devices']) fields.delete(list)
  for (const { read } of PARTS) {
    const { sql, parameters } = read(ann.session._id, 0).compile(db)
    const result = await query(sql, parameters)
    for (const { name } of result.fields) fields.add(name)
  }
  expect([...fields].filter((name) => !(name in FIELD_WORDS))).toEqual([])
})

test('captions of more lessons than one batch are all exported, and count in the expected size', async () => {
  const dan = await app.signUp('dan')
  const { expected: before } = await show(dan)
  for (let lesson = 0; lesson < 6; lesson += 1) {
    const { id } = await app.publishLesson(dan)
    const cues = Array.from({ length: 500 }, (_, place) => ({
      from: place,
      to: place + 1,
      text: `${place} ${randomBytes(20).toString('hex').replaceAll('0', ' ')}`,
    }))
    await query(
      `insert into lesson_captions (lesson_id, language, cues, stems, changed_at) values ($1, 'en', $2, '{}', now())`,
      [id, JSON.stringify(cues)],
    )
  }
  const lessons = 6 * 20_000
  const { expected } = await show(dan)
  const { body } = await app.call<{ captions: object[] }>('GET', '/identity/export', { as: dan })
  expect(body.captions).toHaveLength(6)
  const bytes = JSON.stringify(body.captions).length
  expect(expected - before - lessons).toBeGreaterThan(bytes)
})

test('an aborted archive closes the file that it reads', async () => {
  let isClosed = false
  const open = async (key: string) => {
    const stored = await app.app.core.storage.open(key)
    stored?.stream.once('close', () => (isClosed = true))
    return stored
  }
  const names = { en: { site: 'Bazaar', tagline: '' }, bg: { site: 'Базар', tagline: '' } }
  const needs = { db: app.app.database.db, storage: { open }, names, now: new Date() }
  for await (const piece of writeZip(needs, ann.session._id))
    if (/^pictures\/\d+\.webp$/.test(piece.toString('latin1'))) break
  await expect.poll(() => isClosed).toBe(true)
})

test('slow downloads of one person do not block others', async () => {
  const slow = await app.signUp('slow')
  // More than both sides buffer.
  await upload(slow, 'large.bin', randomBytes(8 * 1024 * 1024).toString('hex'))
  const { port } = new URL(app.url)
  const begin = () => {
    const socket = connect(Number(port), '127.0.0.1').pause()
    const request = `GET /files/exports/now HTTP/1.1\r\nhost: x\r\ncookie: ${slow.cookie}\r\n\r\n`
    socket.write(request)
    return socket
  }
  const sockets = [begin()]
  await once(sockets[0] as Socket, 'readable')
  for (let more = 0; more < 8; more += 1) sockets.push(begin())
  const { status, headers } = await download('/files/exports/now', slow.cookie)
  expect([status, headers.get('retry-after')]).toEqual([429, '5'])
  expect((await zipOf(await download('/files/exports/now', bob.cookie))).size).toBeGreaterThan(0)
  for (const socket of sockets) socket.destroy()
  const again = async () => (await download('/files/exports/now', slow.cookie)).status
  await expect.poll(again).toBe(200)
})

test('a large one is made by a job, once, mailed, and opens for its person alone until it ends', async () => {
  const eve = await app.signUp('eve')
  await upload(eve, 'small.txt', 'a real one')
  await makeLarge(eve)
  expect(await show(eve)).toMatchObject({ state: 'none', url: null, renewable: true })
  expect((await download('/files/exports/now', eve.cookie)).status).toBe(404)

  // Suspended people may export too.
  await query('update users set suspended_at = now() where id = $1', [eve.session._id])
  const asked = await ask(eve)
  expect(asked).toMatchObject({
    status: 202,
    body: { state: 'waiting', url: null, renewable: false },
  })
  expect((await ask(eve)).body).toEqual(asked.body)
  await app.runJobs()
  const ready = await show(eve)
  expect(ready).toMatchObject({ state: 'ready', renewable: false })
  expect((await ask(eve)).body).toEqual(ready)
  const { rows } = await query(
    `select notice ->> 'subject' as subject from mails where user_id = $1 and notice::text like '%Export%'`,
    [eve.session._id],
  )
  expect(rows).toHaveLength(1)

  expect((await download(ready.url, bob.cookie)).status).toBe(404)
  expect((await download(`/files/exports/${randomUUID()}`, eve.cookie)).status).toBe(404)
  const whole = Buffer.from(await (await download(ready.url, eve.cookie)).arrayBuffer())
  expect(whole.length).toBe(ready.bytes)
  expect([...readZip(whole).values()].map(String)).toContain('a real one')
  const part = await download(ready.url, eve.cookie, { range: 'bytes=10-19' })
  expect(part.status).toBe(206)
  expect(Buffer.from(await part.arrayBuffer())).toEqual(whole.subarray(10, 20))

  const now = Date.now()
  try {
    app.clock.time = new Date(now + DAY_MS + 60_000)
    expect(await show(eve)).toMatchObject({ state: 'ready', renewable: true })
    await clear()
    expect(await isStored(eve)).toBe(true)
    app.clock.time = new Date(now + 7 * DAY_MS - 60_000)
    await clear()
    expect(await isStored(eve)).toBe(true)
    app.clock.time = new Date(now + 7 * DAY_MS + 60_000)
    await clear()
    expect(await isStored(eve)).toBe(false)
    expect(
      (await query('select from data_exports where user_id = $1', [eve.session._id])).rowCount,
    ).toBe(0)
  } finally {
    app.clock.time = null
  }
  expect(await show(eve)).toMatchObject({ state: 'none', url: null, renewable: true })
})

test('a request is refused while other archives leave no room', async () => {
  const { large, waits } = await signUpAll(app, 'large', 'waits')
  await makeLarge(large)
  await makeLarge(waits)
  expect((await ask(large)).status).toBe(202)
  await query('update data_exports set expected = $1', [EXPORTS_BYTES - 1024])
  const { status, headers } = await ask(waits)
  expect([status, headers.get('retry-after')]).toEqual([503, '3600'])
  await query('delete from data_exports')
})

test('erasing an account deletes the copy, finished or not', async () => {
  const { made, making } = await signUpAll(app, 'made', 'making')
  for (const person of [made, making]) {
    await makeLarge(person)
    expect((await ask(person)).status).toBe(202)
    if (person === made) await app.runJobs()
    const json = { password: person.password }
    await done(app, person, 'POST /identity/erase', json)
    await app.runJobs()
    expect(await isStored(person)).toBe(false)
  }
  expect((await query('select from data_exports')).rowCount).toBe(0)
})

describe('the JSON', async () => {
  const { owner, reader } = await signUpAll(app, 'owner', 'reader')
  type Archive = Record<string, Record<string, unknown>[]> & { person: Record<string, unknown> }
  const take = (as: Person) => app.call<Archive>('GET', '/identity/export', { as })

  test('is a file with personal data, and no secrets', async () => {
    const { id } = await app.publishLesson(owner, { title: 'Of the owner' })
    const own = await app.publishLesson(reader, { title: 'Of the reader' })
    await done(app, reader, `POST /lesson/buy/${id}`)
    await done(app, reader, `POST /lesson/like/${id}`)
    const text = 'Bought, read and liked.'
    await done(app, reader, `POST /comment/create/${id}`, { text })
    const letter = { text: 'Thank you', receiverUsername: 'owner' }
    await done(app, reader, 'POST /message/create', letter)
    const report = { kind: 'lesson', id, text: 'The link is broken' }
    await done(app, reader, 'POST /flag', report)
    const { body, headers } = await take(reader)
    expect(headers.get('content-disposition')).toBe('attachment; filename="knowledge-bazaar.json"')
    expect(headers.get('cache-control')).toBe('no-store')
    const { _id, username, email } = reader.session
    expect(body.person).toMatchObject({ id: _id, username, email, formerNames: [] })
    expect(body).toMatchObject({
      lessons: [{ id: own.id, title: 'Of the reader', article: expect.stringContaining('<p>') }],
      courses: [],
      comments: [{ lesson: id, text }],
      likedLessons: [{ id }],
      boughtLessons: [{ id, price: 100 }],
      messages: [{ receiver: owner.session._id, text: 'Thank you' }],
      reports: [{ kind: 'lesson', subject: `${id}`, text: 'The link is broken' }],
      bugReports: [],
      points: [{ amount: 100 }, { amount: -100, item: id }],
    })
    expect(body['lessons']?.[0]?.['video']).toMatch(/^https:\/\/www\.youtube\.com\/embed\//)
    expect(JSON.stringify(body)).not.toMatch(/w1x0|argon2|password/i)
  })

  test('contains everything for a very active person', async () => {
    await app.app.database.pool.query(
      `insert into point_entries (user_id, amount, reason, occurrence, net_after)
      select $1, 0, 'edited', n::text, 0 from generate_series(1, 250) n`,
      [owner.session._id],
    )
    const { body } = await take(owner)
    const ids = body['points']?.map(({ id }) => id) ?? []
    // Includes the reward for the lesson and the share of its sale.
    expect(new Set(ids).size).toBe(252)
  })
})

describe('self-checks on the page', async () => {
  const { author, learner } = await signUpAll(app, 'author', 'learner')
  await app.give(learner, 1000)
  const checks = checksOf(app, () => author)

  /** Returns the page with collapsed white space. */
  async function pageOf({ cookie }: Person): Promise<string> {
    const page = textOf(await zipOf(await download('/files/exports/now', cookie)), 'index.html')
    return page.replaceAll(/\s+/g, ' ').replaceAll(/> | </g, (cut) => cut.trim())
  }

  test('an author’s questions are a list, each with its answers and explanation', async () => {
    const id = await checks.publish([
      {
        text: 'Which <b> is it?',
        answers: [
          { text: 'This one', right: false },
          { text: 'That & the other', right: true },
        ],
        explanation: 'Because it always was that one',
      },
    ])
    await checks.buy(learner, id)
    await checks.take(id, [[0]], learner)
    await checks.take(id, [[0, 1]], learner)

    const hers = await pageOf(author)
    expect(hers).toContain(
      '<ol><li>Which &lt;b&gt; is it?<ul><li>This one</li><li>That &amp; the other<b>(right)</b></li></ul><p class="text">Because it always was that one</p></li></ol>',
    )
    const his = await pageOf(learner)
    // The best attempt and the last one.
    expect(his).toContain('<ol><li>Answer 1</li></ol>')
    expect(his).toContain('<ol><li>Answer 1, Answer 2</li></ol>')
    expect(his).not.toContain('Because it always was')
    for (const page of [hers, his]) expect(page).not.toMatch(/\[\[|\{&quot;|\{"/)
  })
})
