/**
 * Demo content: what an empty embedded installation shows. It goes through the verbs that everybody's content goes
 * through, so that its points, pictures and rewards are as real as any.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { avatar } from '#contract/art.ts'
import type { LessonDraft } from '#contract/lesson-forms.ts'
import { videoId } from '#contract/video.ts'
import { registerPerson, type AccountNeeds } from '#server/accounts/accounts.ts'
import { setPassword, setRole } from '#server/accounts/store.ts'
import { hashPassword } from '#server/accounts/passwords.ts'
import { noThrottle } from '#server/accounts/throttle.ts'
import { deriveKey } from '#server/accounts/tokens.ts'
import type { Db } from '#server/db/connect.ts'
import { lessonsBg1 } from '#server/demo/content/lessons-bg-1.ts'
import { lessonsBg2 } from '#server/demo/content/lessons-bg-2.ts'
import { lessonsEn1 } from '#server/demo/content/lessons-en-1.ts'
import { lessonsEn2 } from '#server/demo/content/lessons-en-2.ts'
import { people } from '#server/demo/content/people.ts'
import type { DemoLesson, DemoPerson } from '#server/demo/content/types.ts'
import type { StorePicture } from '#server/files/pictures.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { createLesson } from '#server/lessons/create.ts'
import { setViews } from '#server/lessons/store.ts'
import { buyLesson } from '#server/purchases/purchases.ts'

export interface DemoSignIn {
  readonly what: string
  readonly username: string
  readonly password: string
}

export interface DemoNeeds {
  readonly db: Db
  readonly clock: Clock
  readonly storePicture: StorePicture
  readonly afterRegistration: AccountNeeds['afterRegistration']
  readonly dataDir: string
  readonly secret: string
  /** Demo content wanted (DEMO). */
  readonly wanted: boolean
  /** Only this machine can connect: else the demo sign-ins are off. */
  readonly loopback: boolean
  readonly say: (line: string) => void
}

const PICTURES = join(import.meta.dirname, 'pictures')
const DAY_MS = 24 * 60 * 60 * 1000
const SIGN_INS = [
  { what: 'author', username: 'leila.h' },
  { what: 'learner', username: 'elena' },
  { what: 'administrator', username: 'petar-iliev' },
] as const

/** True for an address that only this machine reaches. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)
}

/**
 * Fills an empty installation, goes on where a broken-off start stopped, and answers the sign-ins to print.
 * Passwords derive from the installation's secret; behind another listener than loopback nobody can use them.
 */
export async function openDemo(needs: DemoNeeds): Promise<DemoSignIn[]> {
  const { db, wanted, loopback } = needs
  const mark = join(needs.dataDir, 'demo')
  const state = await readFile(mark, 'utf8').catch(() => 'none')
  if (state === 'none') {
    const someone = await db.selectFrom('users').select('id').limit(1).executeTakeFirst()
    if (!wanted || !loopback || someone !== undefined) return []
  }
  if (state !== 'done') {
    await mkdir(needs.dataDir, { recursive: true })
    await writeFile(mark, 'begun')
    await fill(needs)
    await writeFile(mark, 'done')
  }
  const signIns = SIGN_INS.map((entry) => ({
    ...entry,
    password: passwordOf(needs.secret, entry.username),
  }))
  for (const { username, password } of signIns) {
    // A password that nobody knows closes the sign-in.
    await setPassword(db, username, await hashPassword(loopback ? password : randomUUID()))
  }
  return loopback ? signIns : []
}

function passwordOf(secret: string, username: string): string {
  return Buffer.from(deriveKey(secret, `demo sign-in of ${username}`))
    .toString('base64url')
    .slice(0, 12)
}

async function fill(needs: DemoNeeds): Promise<void> {
  const { db, say } = needs
  const viewers = new Map<string, Viewer>()
  for (const person of people) viewers.set(person.username, await settle(needs, person))
  const administrator = SIGN_INS[2].username
  await setRole(db, administrator, 'administrator')
  const lessons = [...lessonsEn1, ...lessonsEn2, ...lessonsBg1, ...lessonsBg2].toSorted(
    (one, other) => other.publishedDaysAgo - one.publishedDaysAgo,
  )
  const ids: number[] = []
  for (const [place, lesson] of lessons.entries()) {
    if (place % 10 === 0) say(`Filling in demo content … ${place} of ${lessons.length} lessons`)
    ids.push(await publish(needs, viewerOf(viewers, lesson.owner), lesson))
  }
  for (const [place, lesson] of lessons.entries()) {
    for (const buyer of lesson.boughtBy)
      await purchase(needs, viewerOf(viewers, buyer), ids[place] ?? 0)
  }
}

function viewerOf(viewers: ReadonlyMap<string, Viewer>, username: string): Viewer {
  const viewer = viewers.get(username)
  if (viewer === undefined) throw new Error(`no demo person ${username}`)
  return viewer
}

function daysAgo(clock: Clock, days: number): Clock {
  return { now: () => new Date(clock.now().getTime() - days * DAY_MS) }
}

async function settle(needs: DemoNeeds, person: DemoPerson): Promise<Viewer> {
  const { db } = needs
  const find = () =>
    db.selectFrom('users').select('id').where('username', '=', person.username).executeTakeFirst()
  if ((await find()) === undefined) {
    const image =
      person.picture === null
        ? new File(
            [
              new Uint8Array(
                await sharp(Buffer.from(avatar(person.username)))
                  .resize(320)
                  .png()
                  .toBuffer(),
              ),
            ],
            'face.png',
          )
        : new File([new Uint8Array(await asJpeg(person.picture))], 'face.jpg')
    await registerPerson(
      {
        db,
        clock: daysAgo(needs.clock, person.joinedDaysAgo),
        throttle: noThrottle,
        storePicture: needs.storePicture,
        afterRegistration: needs.afterRegistration,
      },
      {
        username: person.username,
        email: person.email,
        password: passwordOf(needs.secret, person.username),
        image,
        hideEmail: false,
      },
      { address: '127.0.0.1', locale: /\p{Script=Cyrillic}/u.test(person.username) ? 'bg' : 'en' },
    )
  }
  const user = await find()
  if (user === undefined) throw new Error(`${person.username} was not registered`)
  return { id: user.id, username: person.username, role: 'user', suspended: false, sessionId: '' }
}

/** The committed pictures are WebP, which the form does not take. */
function asJpeg(file: string): Promise<Buffer> {
  return sharp(join(PICTURES, file)).jpeg({ quality: 92 }).toBuffer()
}

async function publish(needs: DemoNeeds, owner: Viewer, lesson: DemoLesson): Promise<number> {
  const { picture } = lesson
  const storePicture = async (image: File, ownerId: string | null) =>
    picture === null ? { pictureId: null } : needs.storePicture(image, ownerId)
  const draft: LessonDraft = {
    title: lesson.title,
    description: lesson.description,
    video: lesson.video,
    image: new File(picture === null ? [] : [new Uint8Array(await asJpeg(picture))], 'picture.jpg'),
    tags: lesson.tags,
    resources: lesson.resource ?? '',
    article: lesson.article,
    draftId: draftIdOf(lesson),
  }
  const when = daysAgo(needs.clock, lesson.publishedDaysAgo)
  const { lesson: created } = await createLesson(
    { db: needs.db, clock: when, storePicture, dailyRewardLimit: people.length * 10 },
    owner,
    draft,
  )
  await setViews(needs.db, created.id, lesson.views)
  return created.id
}

/** The same for the same lesson, so that a start that was broken off makes none twice. */
function draftIdOf(lesson: DemoLesson): string {
  const hash = createHash('sha256')
    .update(videoId(lesson.video) ?? lesson.title)
    .digest('hex')
  return hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
}

async function purchase(needs: DemoNeeds, buyer: Viewer, lessonId: number): Promise<void> {
  const bought = await needs.db
    .selectFrom('lesson_purchases')
    .select('lesson_id')
    .where('user_id', '=', buyer.id)
    .where('lesson_id', '=', lessonId)
    .executeTakeFirst()
  if (bought === undefined) await buyLesson(needs, buyer, lessonId)
}
