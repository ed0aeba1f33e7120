/** Whatever people do, and however concurrently, the audit finds nothing. */
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CreatedCourse } from '#contract/courses.ts'
import { audit } from '#server/operate/audit/audit.ts'
import { courseForm, lessonForm, testPicture, type Person } from '#server/testing/app.ts'
import { countRuns } from '#server/testing/lane.ts'
import { startS3 } from '#server/testing/s3/server.ts'
import { closeAtEnd, openTestApp } from '#server/testing/setup.ts'
import { formOf } from '#server/testing/http/forms.ts'

const s3 = closeAtEnd(await startS3())
const app = await openTestApp({ DAILY_REWARD_LIMIT: '1000', S3_URL: s3.url })
const people = await Promise.all(['ann', 'bob', 'carl'].map((name) => app.signUp(name)))
for (const person of people) await app.give(person, 5000)

const LEARNING = [
  'watch',
  'study',
  'graduate',
  'show',
  'withdraw',
  'rate',
  'rateCourse',
  'unrate',
  'answer',
  'follow',
  'unfollow',
] as const
const KINDS = [
  'publish',
  'publish',
  'attach',
  'edit',
  'drop',
  'buy',
  'buy',
  'like',
  'comment',
  'comment',
  'uncomment',
  'view',
  'bind',
  'bind',
  'rebind',
  'unbind',
  'join',
  'likeCourse',
  'write',
  'read',
  'face',
  ...LEARNING,
] as const

const step = fc.record({
  kind: fc.constantFrom(...KINDS),
  who: fc.nat(2),
  which: fc.nat(5),
})
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never
interface Learned extends Step {
  readonly kind: (typeof LEARNING)[number]
}
/** Steps of one group run concurrently. */
const histories = fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), {
  minLength: 5,
  maxLength: 12,
})

const lessons: { readonly id: number; readonly owner: Person }[] = []
const courses: number[] = []
const comments: number[] = []
/** The lessons in each new course. */
const bound = new Map<number, readonly number[]>()
const ratings: number[] = []
const certificates: string[] = []
/** Kinds of steps that succeeded at least once. */
const done = new Set<Step['kind']>()

async function attach(as: Person): Promise<string> {
  const form = formOf({ file: new File(['How to tie a knot'], 'knots.txt') })
  const { body } = await app.call<{ url: string }>('POST', '/upload/resource', { as, form })
  return body.url
}

/** Ignores refusals, because only the final state of the books matters. */
async function act({ kind, who, which }: Step): Promise<void> {
  const as = people[who]
  if (as === undefined) return
  const lesson = lessons.at(-1 - which)
  const course = courses.at(-1 - (which % 3))
  const own = lessons.filter(({ owner }) => owner === as).map(({ id }) => id)
  switch (kind) {
    case 'publish':
    case 'attach': {
      const resources = kind === 'attach' ? await attach(as) : ''
      const { id } = await app.publishLesson(as, { resources })
      lessons.push({ id, owner: as })
      return
    }
    case 'edit': {
      const form = await lessonForm({ resources: which % 2 === 0 ? await attach(as) : '' })
      await app.call('PUT', `/lesson/${own.at(-1 - which)}`, { as, form })
      return
    }
    case 'drop':
      await app.call('DELETE', `/lesson/${own.at(-1 - which)}`, { as })
      return
    case 'buy':
    case 'like':
      await app.call('POST', `/lesson/${kind}/${lesson?.id}`, { as })
      return
    case 'comment': {
      const json = { text: `What I have to say about it, ${which}` }
      const { body } = await app.call<{ id?: number }>('POST', `/comment/create/${lesson?.id}`, {
        as,
        json,
      })
      if (body.id !== undefined) comments.push(body.id)
      return
    }
    case 'uncomment':
      await app.call('DELETE', `/comment/delete/${comments.at(-1 - which)}`, { as })
      return
    case 'view':
      await app.call('GET', `/lesson/${lesson?.id}`, { as })
      return
    case 'bind': {
      const form = await courseForm({ lessons: own.slice(-7) })
      const { body } = await app.call<CreatedCourse>('POST', '/course/create', { as, form })
      if (typeof body.id !== 'number') return
      courses.push(body.id)
      bound.set(body.id, own.slice(-7))
      return
    }
    case 'rebind': {
      const form = await courseForm({ lessons: own.slice(which, which + 7) })
      form.delete('image')
      await app.call('PATCH', `/course/${course}`, { as, form })
      return
    }
    case 'unbind':
      await app.call('DELETE', `/course/${course}`, { as })
      return
    case 'join':
      await app.call('POST', `/course/buy/${course}`, { as })
      return
    case 'likeCourse':
      await app.call('POST', `/course/like/${course}`, { as })
      return
    case 'write': {
      const json = { text: `Good morning ${which}`, receiverUsername: ['bob', 'carl', 'ann'][who] }
      await app.call('POST', '/message/create', { as, json })
      return
    }
    case 'read':
      await app.call('POST', `/message/read/${['carl', 'ann', 'bob'][who]}`, { as })
      return
    case 'face': {
      const form = formOf({ image: await testPicture() })
      await app.call('PATCH', '/identity/update', { as, form })
      return
    }
    default:
      await learn({ kind, who, which }, as)
  }
}

/** Actions on unlocked items and towards their authors. */
async function learn({ kind, who, which }: Learned, as: Person): Promise<void> {
  const lesson = lessons.at(-1 - which)?.id
  const course = courses.at(-1 - (which % 3)) ?? 0
  const certificate = certificates.at(-1 - (which % 3))
  const author = people[(who + 1 + (which % 2)) % 3]?.session._id
  const send = async (method: string, path: string, json?: unknown) => {
    const { status, body } = await app.call<{ id?: number; code?: string }>(method, path, {
      as,
      ...(json !== undefined && { json }),
    })
    expect(status).toBeLessThan(500)
    if (status < 300) done.add(kind)
    return status < 300 ? body : {}
  }
  switch (kind) {
    case 'watch':
      await send('PUT', `/progress/${lesson}`, { seconds: which * 10, length: 60, opened: true })
      return
    case 'study':
      for (const id of bound.get(course) ?? [])
        await send('PUT', `/progress/${id}`, { opened: true, done: which < 5 })
      return
    case 'graduate': {
      const { code } = await send('POST', `/certificate/${course}`, { name: 'Somebody of Sofia' })
      if (code !== undefined) certificates.push(code)
      return
    }
    case 'show':
      await send('PUT', `/certificate/${certificate}`, { listed: which % 2 === 0 })
      return
    case 'withdraw':
      await send('DELETE', `/certificate/${certificate}`)
      return
    case 'rate':
    case 'rateCourse': {
      const item = kind === 'rate' ? `lesson/${lesson}` : `course/${course}`
      const text = which % 2 === 0 ? 'Clear from the first word to the last.' : undefined
      const { id } = await send('PUT', `/rating/${item}`, { stars: (which % 5) + 1, text })
      if (id !== undefined) ratings.push(id)
      return
    }
    case 'unrate':
      await send('DELETE', `/rating/${which < 3 ? `lesson/${lesson}` : `course/${course}`}`)
      return
    case 'answer':
      await send('PUT', `/rating/${ratings.at(-1 - which)}/answer`, { text: 'Thank you for that.' })
      return
    case 'follow':
    case 'unfollow':
      await send(kind === 'follow' ? 'PUT' : 'DELETE', `/follow/${author}`)
  }
}

const look = (isLive: boolean) =>
  audit({ db: app.app.database.db, storage: app.app.core.storage }, { isLive })

test('the audit finds nothing during and after any history', { timeout: 240_000 }, async () => {
  for (const owner of people)
    for (let count = 0; count < 7; count += 1)
      lessons.push({ id: (await app.publishLesson(owner)).id, owner })
  // Creates items for the histories to act upon.
  for (const who of [0, 1, 2])
    for (const kind of ['bind', 'buy', 'comment'] as const) await act({ kind, who, which: 0 })
  expect([courses.length, comments.length]).toEqual([3, 3])
  const learning = ['watch', 'study', 'graduate', 'show', 'rate', 'rateCourse', 'follow'] as const
  for (const kind of ['join', ...learning] as const) await act({ kind, who: 0, which: 0 })
  await act({ kind: 'answer', who: 2, which: 0 })
  expect([...done].toSorted()).toEqual(['answer', ...learning].toSorted())
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      for (const group of history) {
        const [report] = await Promise.all([look(true), ...group.map(act)])
        expect(report).toMatchObject({ findings: [], unproved: [] })
      }
      await app.app.views.flush()
      await app.runJobs()
      expect(await look(false)).toMatchObject({ findings: [], unproved: [] })
    }),
    // The state persists across histories, so that a failure can't be shrunk.
    { numRuns: countRuns(5), endOnFailure: true },
  )
})

test('lost and additional files in the bucket are found', async () => {
  const { storage } = app.app.core
  const { rows } = await app.app.database.pool.query<{ key: string }>(
    'select min(key) as key from pictures',
  )
  const folder = `pictures/${rows[0]?.key}`
  const file = await storage.open(`${folder}/640.webp`)
  const bytes = file === null ? Buffer.alloc(0) : await buffer(file.stream)
  expect(bytes.length).toBeGreaterThan(0)
  await storage.remove(`${folder}/640.webp`)
  await storage.put('resources/nobodys', Buffer.from('x'))
  const { findings } = await look(false)
  await storage.put(`${folder}/640.webp`, bytes)
  await storage.remove('resources/nobodys')
  expect(findings.map(({ rule, ids }) => [rule, ids])).toEqual([
    ['pictureFileMissing', [folder]],
    ['strayFile', ['resources/nobodys']],
  ])
})

test(
  'the audit finds nothing after everybody erases their account',
  { timeout: 120_000 },
  async () => {
    for (const as of people)
      await app.call('POST', '/identity/erase', { as, json: { password: as.password } })
    expect(await look(true)).toMatchObject({ findings: [], unproved: [] })
    await app.runJobs()
    expect(await look(false)).toMatchObject({ findings: [], unproved: [] })
  },
)
