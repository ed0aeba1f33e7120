/** Whatever people do, and however concurrently, the audit finds nothing. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
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

const lessons: { readonly id: number; readonly owner: Person }[] = []
const courses: { readonly id: number; readonly lessons: readonly number[] }[] = []
const comments: number[] = []
const ratings: number[] = []
const certificates: string[] = []

/** Who acts, and on which of the newest items. */
interface Scene {
  readonly who: number
  readonly which: number
  readonly as: Person
  readonly author: Person | undefined
  /** The acting person's own lessons. */
  readonly own: readonly number[]
  readonly lesson: number | undefined
  readonly course: (typeof courses)[number] | undefined
  readonly certificate: string | undefined
  /** Ignores refusals, because only the final state of the books matters. Returns what was created, if anything. */
  readonly send: (
    line: string,
    sent?: unknown,
  ) => Promise<{ id?: number; code?: string; url?: string }>
}
type Act = (scene: Scene) => Promise<unknown>

async function attach({ send }: Scene): Promise<string> {
  const file = new File(['How to tie a knot'], 'knots.txt')
  return (await send('POST /upload/resource', formOf({ file }))).url ?? ''
}

async function publish({ as }: Scene, resources = ''): Promise<void> {
  lessons.push({ id: (await app.publishLesson(as, { resources })).id, owner: as })
}

async function rate({ send, which }: Scene, item: string): Promise<void> {
  const text = which % 2 === 0 ? 'Clear from the first word to the last.' : undefined
  const { id } = await send(`PUT /rating/${item}`, { stars: (which % 5) + 1, text })
  if (id !== undefined) ratings.push(id)
}

const ACTS = {
  publish: (scene) => publish(scene),
  attach: async (scene) => publish(scene, await attach(scene)),
  edit: async (scene) => {
    const resources = scene.which % 2 === 0 ? await attach(scene) : ''
    const form = await lessonForm({ resources })
    await scene.send(`PUT /lesson/${scene.own.at(-1 - scene.which)}`, form)
  },
  drop: ({ send, own, which }) => send(`DELETE /lesson/${own.at(-1 - which)}`),
  buy: ({ send, lesson }) => send(`POST /lesson/buy/${lesson}`),
  like: ({ send, lesson }) => send(`POST /lesson/like/${lesson}`),
  comment: async ({ send, lesson, which }) => {
    const text = `What I have to say about it, ${which}`
    const { id } = await send(`POST /comment/create/${lesson}`, { text })
    if (id !== undefined) comments.push(id)
  },
  uncomment: ({ send, which }) => send(`DELETE /comment/delete/${comments.at(-1 - which)}`),
  view: ({ send, lesson }) => send(`GET /lesson/${lesson}`),
  bind: async ({ send, own }) => {
    const bound = own.slice(-7)
    const { id } = await send('POST /course/create', await courseForm({ lessons: bound }))
    if (id !== undefined) courses.push({ id, lessons: bound })
  },
  rebind: async ({ send, own, course, which }) => {
    const form = await courseForm({ lessons: own.slice(which, which + 7) })
    form.delete('image')
    await send(`PATCH /course/${course?.id}`, form)
  },
  unbind: ({ send, course }) => send(`DELETE /course/${course?.id}`),
  join: ({ send, course }) => send(`POST /course/buy/${course?.id}`),
  likeCourse: ({ send, course }) => send(`POST /course/like/${course?.id}`),
  write: ({ send, author, which }) =>
    send('POST /message/create', {
      text: `Good morning ${which}`,
      receiverUsername: author?.session.username,
    }),
  read: ({ send, author }) => send(`POST /message/read/${author?.session.username}`),
  face: async ({ send }) => send('PATCH /identity/update', formOf({ image: await testPicture() })),
  watch: ({ send, lesson, which }) =>
    send(`PUT /progress/${lesson}`, { seconds: which * 10, length: 60, opened: true }),
  study: async ({ send, course, which }) => {
    for (const id of course?.lessons ?? [])
      await send(`PUT /progress/${id}`, { opened: true, done: which < 5 })
  },
  graduate: async ({ send, course }) => {
    const { code } = await send(`POST /certificate/${course?.id}`, { name: 'Somebody of Sofia' })
    if (code !== undefined) certificates.push(code)
  },
  show: ({ send, certificate, which }) =>
    send(`PUT /certificate/${certificate}`, { listed: which % 2 === 0 }),
  withdraw: ({ send, certificate }) => send(`DELETE /certificate/${certificate}`),
  rate: (scene) => rate(scene, `lesson/${scene.lesson}`),
  rateCourse: (scene) => rate(scene, `course/${scene.course?.id}`),
  unrate: ({ send, lesson, course, which }) =>
    send(`DELETE /rating/${which < 3 ? `lesson/${lesson}` : `course/${course?.id}`}`),
  answer: ({ send, which }) =>
    send(`PUT /rating/${ratings.at(-1 - which)}/answer`, { text: 'Thank you for that.' }),
  follow: ({ send, author }) => send(`PUT /follow/${author?.session._id}`),
  unfollow: ({ send, author }) => send(`DELETE /follow/${author?.session._id}`),
} satisfies Record<string, Act>
type Kind = keyof typeof ACTS

const kinds = Object.keys(ACTS) as Kind[]
const step = fc.record({
  // These come more often.
  kind: fc.constantFrom(...kinds, ...(['publish', 'buy', 'comment', 'bind'] as const)),
  who: fc.nat(2),
  which: fc.nat(5),
})
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never
/** Steps of one group run concurrently. */
const histories = fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), {
  minLength: 5,
  maxLength: 12,
})

/** Kinds of steps that succeeded at least once. */
const done = new Set<Kind>()

async function act({ kind, who, which }: Step): Promise<void> {
  const as = people[who]
  if (as === undefined) return
  await ACTS[kind]({
    who,
    which,
    as,
    author: people[(who + 1 + (which % 2)) % 3],
    own: lessons.filter(({ owner }) => owner === as).map(({ id }) => id),
    lesson: lessons.at(-1 - which)?.id,
    course: courses.at(-1 - (which % 3)),
    certificate: certificates.at(-1 - (which % 3)),
    send: async (line, sent) => {
      const [method = '', path = ''] = line.split(' ')
      const given = sent instanceof FormData ? { form: sent } : sent !== undefined && { json: sent }
      const { status, body } = await app.call<object>(method, path, { as, ...given })
      expect(status).toBeLessThan(500)
      if (status < 300) done.add(kind)
      return status < 300 ? body : {}
    },
  })
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
  expect([...done]).toEqual(expect.arrayContaining(['answer', 'join', ...learning]))
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
