/** A complete server on a free port with a fresh database, and helpers that use it over HTTP. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import type { Session } from '#contract/accounts.ts'
import type { CreatedCourse } from '#contract/courses.ts'
import type { CreatedLesson } from '#contract/lessons.ts'
import { COURSE_LESSONS } from '#contract/limits.ts'
import type { ClientConfig } from 'pg'
import { createApp, type App } from '#server/app.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { readConfig } from '#server/kernel/config.ts'
import { createLog } from '#server/kernel/log.ts'
import { nodeUrlOf, openNodesLink } from '#server/platform/nodes/redis.ts'
import { createLogJudge } from '#server/testing/privacy/log-lines.ts'
import { done } from '#server/testing/http/answers.ts'
import { findTestPort } from '#server/testing/port.ts'
import type { Renderer } from '#server/pages/renderer.ts'
import { award } from '#server/people/points/ledger.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { signUpDirectly } from '#server/testing/sign-in/sign-up.ts'
import { settleAll } from '#server/testing/learning/notices.ts'

export interface Answer<Body = unknown> {
  status: number
  headers: Headers
  body: Body
}

export interface Person {
  session: Session
  /** The refresh cookie, as `name=value`. */
  cookie: string
  password: string
}

export interface CallOptions {
  as?: Person | undefined
  json?: unknown
  form?: FormData
  headers?: Record<string, string>
}

export interface TestApp {
  app: App
  url: string
  dataDir: string
  /** Lines of its log, if `environment` has a LOG_LEVEL. */
  logged: readonly string[]
  /** For a second node on the same database. */
  connection: ClientConfig
  /** Clock of the server. Set `time` to travel in time. */
  clock: Clock & { time: Date | null }
  /** Calls the API. `path` is relative to /api, and a JSON body is parsed. */
  call<Body = unknown>(method: string, path: string, options?: CallOptions): Promise<Answer<Body>>
  signUp(username: string): Promise<Person>
  /** Passes events on, and runs due jobs until none are left. */
  runJobs(): Promise<void>
  /** Publishes a lesson of 500 characters that is not similar to any other. */
  publishLesson(owner: Person, change?: Partial<LessonForm>, image?: File): Promise<CreatedLesson>
  /** Publishes a course. Creates six lessons if none are given. */
  publishCourse(owner: Person, change?: Partial<CourseForm>): Promise<CreatedCourse>
  /** Publishes lessons until the person has at least this many KB Points. */
  earn(person: Person, points: number): Promise<void>
  /** Creates points, for tests that don't care how they were earned. */
  give(person: Person, points: number): Promise<void>
  close(): Promise<void>
}

export interface LessonForm {
  title: string
  description: string
  video: string
  tags: string
  resources: string
  article: string
  opening: string
  cover: string
  checks: string
  draftId: string
}

/** Signs the tokens of test servers. */
export const TEST_SECRET = 'test-secret-test-secret-test-secret!'

export interface CourseForm {
  title: string
  description: string
  lessons: readonly number[]
  freePreview: number
  draftId: string
}

/** Without a renderer it only serves the API. */
export async function createTestApp(
  environment: Record<string, string> = {},
  renderer: Renderer | null = null,
  beside?: Pick<TestApp, 'connection'> &
    Partial<Pick<TestApp, 'url'>> & { readonly replica?: ClientConfig },
): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kb-app-'))
  const clock: TestApp['clock'] = { time: null, now: () => clock.time ?? new Date() }
  const config = readConfig({
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'silent',
    DEMO: '0',
    METRICS_PORT: '0',
    VIDEO_CHECK_URL: '',
    // Tests run jobs themselves with runJobs().
    JOBS: 'elsewhere',
    ...environment,
  })
  const port = await findTestPort()
  const url = `http://127.0.0.1:${port}`
  const connection = beside?.connection ?? (await createTestDatabase())
  const logged: string[] = []
  const judge = createLogJudge()
  const level = environment['LOG_LEVEL']
  // Checks all lines at the product's log level; TEST_LOG also prints them.
  const log = createLog(level ?? process.env['TEST_LOG'] ?? 'info', {
    write: (line) => {
      judge.write(line)
      if (level !== undefined) logged.push(line)
      else if (process.env['TEST_LOG'] !== undefined) process.stdout.write(line)
    },
  })
  const nodes = await openNodesLink(config, nodeUrlOf(config, port), log)
  const app = await createApp({
    config,
    // Nodes behind one load balancer share an address.
    publicUrl: beside?.url ?? url,
    connection,
    nodes,
    replica: beside?.replica ?? null,
    secrets: [TEST_SECRET],
    clock,
    log,
    renderer,
  })
  await app.listen(port, '127.0.0.1')
  const call: TestApp['call'] = async (method, path, options = {}) => {
    judge.hear(options.form ?? options.json)
    for (let tries = 1; ; tries += 1) {
      const answer = await callApi<never>(url, method, path, options)
      const isSentAway = config.RATE_LIMITS === 'on' && isUnderPressure(answer)
      if (!isSentAway || tries === MOST_TRIES) return answer
      await sleep(AGAIN_MS)
    }
  }

  const signUp = async (username: string): Promise<Person> => {
    const form = {
      username,
      email: `${Buffer.from(username).toString('hex')}@people.example`,
      password: `secret of ${username} 1`,
      image: await testPicture(),
    }
    judge.hear(form)
    return signUpDirectly(app.core, form)
  }

  const publishLesson = async (
    owner: Person,
    change: Partial<LessonForm> = {},
    image?: File,
  ): Promise<CreatedLesson> => {
    const form = await lessonForm(change)
    if (image !== undefined) form.set('image', image)
    return done<CreatedLesson>({ call }, owner, 'POST /lesson/create', form)
  }

  const publishCourse = async (
    owner: Person,
    change: Partial<CourseForm> = {},
  ): Promise<CreatedCourse> => {
    const lessons = [...(change.lessons ?? [])]
    while (change.lessons === undefined && lessons.length < COURSE_LESSONS.min)
      lessons.push((await publishLesson(owner)).id)
    const form = await courseForm({ ...change, lessons })
    return done<CreatedCourse>({ call }, owner, 'POST /course/create', form)
  }

  return {
    app,
    url,
    dataDir: config.DATA_DIR,
    logged,
    connection,
    clock,
    call,
    signUp,
    runJobs: async () => {
      await settleAll({ app })
      await app.runJobs()
    },
    publishLesson,
    publishCourse,
    earn: async (person, points) => {
      let kbPoints = 0
      while (kbPoints < points) ({ kbPoints } = await publishLesson(person))
    },
    give: async ({ session }, amount) => {
      const at = app.core.clock.now()
      const gift = { userId: session._id, amount, reason: 'welcome', at } as const
      await app.database.db
        .transaction()
        .execute((tx) => award(tx, { ...gift, occurrence: randomUUID() }))
    },
    close: async () => {
      await app.close()
      await nodes?.close()
      await rm(dataDir, { recursive: true, force: true })
      if (judge.leaks.length > 0)
        throw new Error(`The log holds what it must not:\n${judge.leaks.slice(0, 5).join('\n')}`)
    },
  }
}

/** Retries of a call that an overloaded server refused, and the pause between them. */
const MOST_TRIES = 50
const AGAIN_MS = 200

/** Returns true for refusals due to a slow event loop, which happen on a busy machine when limits are on. */
function isUnderPressure({ status, body }: Answer): boolean {
  return status === 503 && JSON.stringify(body).includes('"unavailable"')
}

async function callApi<Body>(
  url: string,
  method: string,
  path: string,
  options: CallOptions,
): Promise<Answer<Body>> {
  const headers = new Headers(options.headers)
  if (options.as !== undefined && !headers.has('authorization'))
    headers.set('authorization', `Bearer ${options.as.session.accessToken}`)
  if (options.json !== undefined) headers.set('content-type', 'application/json')
  const body = options.form ?? (options.json === undefined ? null : JSON.stringify(options.json))
  const response = await fetch(`${url}/api${path}`, { method, headers, body, redirect: 'manual' })
  const text = await response.text()
  const parsed: unknown =
    text !== '' && /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text
  return { status: response.status, headers: response.headers, body: parsed as Body }
}

let count = 0

/** Returns a valid lesson form. Video and article differ in each call. */
export async function lessonForm(change: Partial<LessonForm> = {}): Promise<FormData> {
  count += 1
  const words = Array.from({ length: 60 }, (_, place) => `w${count}x${place}`).join(' ')
  const fields = {
    title: `Lesson ${count}`,
    description: 'What one learns in it',
    video: `https://www.youtube.com/watch?v=${`${process.pid}-${count}-_________`.slice(0, 11)}`,
    tags: 'testing',
    resources: '',
    article: `<p>${words}</p>`,
    ...change,
  }
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('image', await testPicture())
  return form
}

/** Returns a valid course form if the given lessons are valid. */
export async function courseForm(change: Partial<CourseForm> = {}): Promise<FormData> {
  const { lessons = [], ...fields } = { description: 'What one learns in all of it', ...change }
  const form = new FormData()
  form.set('title', `Course ${(count += 1)}`)
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value))
  for (const lesson of lessons) form.append('lessons', String(lesson))
  form.set('image', await testPicture())
  return form
}

let picture: Promise<File> | undefined

/** Returns a small JPEG. */
export function testPicture(): Promise<File> {
  picture ??= sharp({ create: { width: 64, height: 48, channels: 3, background: '#0e5f49' } })
    .jpeg()
    .toBuffer()
    .then((bytes) => new File([new Uint8Array(bytes)], 'picture.jpg', { type: 'image/jpeg' }))
  return picture
}
