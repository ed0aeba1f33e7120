/** The product with its demo content, for what a browser sees of it. */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeDataDir } from '#server/testing/product.ts'
import { startProduct } from './product.ts'

const BROWSER = join(import.meta.dirname, '..', '..', 'scripts', 'programs.mjs')

export interface Demo {
  readonly origin: string
  /** Path of a lesson that a guest may open. */
  readonly lesson: string
  /** Path of a course with its first lesson. */
  readonly course: string
  /** Paths of a lesson that is a course's free preview, and of that course where it is open. */
  readonly openLesson: string
  readonly openCourse: string
  readonly learner: SignedIn
}

/** Somebody who is signed in, as a browser stores it. */
export interface SignedIn {
  readonly id: string
  /** JSON. */
  readonly session: string
  /** Value of the cookie `kb`. */
  readonly cookie: string
}

/**
 * Starts the product with demo content for a piece of work, and stops and removes it afterwards, also when the work
 * throws. Gives the work's result.
 */
export async function withDemo<T>(work: (demo: Demo) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kb-bench-demo-'))
  const product = await startProduct(dataDir, { DEMO: '1' })
  try {
    const origin = `http://localhost:${product.port}`
    const lesson = await firstOf(`${origin}/api/lesson/popular`)
    const course = await firstOf(`${origin}/api/course/highest`)
    const preview = await findPreview(origin)
    const learner = await signIn(origin, product.said)
    return await work({
      origin,
      learner,
      lesson: `/lesson/details/${lesson}`,
      course: `/course/details/${course}`,
      openLesson: `/lesson/details/${preview.lesson}`,
      openCourse: `/course/details/${preview.course}/${preview.lesson}`,
    })
  } finally {
    await product.stop()
    await removeDataDir(dataDir)
  }
}

async function firstOf(url: string): Promise<number> {
  const answer = await fetch(url)
  const cards: { id: number }[] = JSON.parse(await answer.text())
  return cards[0]?.id ?? 1
}

/** The first course that has a free preview, and that lesson. @throws when the demo has none */
async function findPreview(origin: string): Promise<{ course: number; lesson: number }> {
  const answer = await fetch(`${origin}/api/course/highest`)
  const cards: { id: number }[] = JSON.parse(await answer.text())
  for (const { id } of cards) {
    const shown = await fetch(`${origin}/api/course/${id}`)
    const { freePreview }: { freePreview: number | null } = JSON.parse(await shown.text())
    if (freePreview !== null) return { course: id, lesson: freePreview }
  }
  throw new Error('no course of the demo has a free preview')
}

/** With the name and password that the start printed. */
async function signIn(origin: string, said: readonly string[]): Promise<SignedIn> {
  const [, username, password] =
    said
      .map((line) => /^ {2}learner +(\S+) {2}(\S+)$/.exec(line))
      .find((found) => found !== null) ?? []
  const answer = await fetch(`${origin}/api/identity/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  const session = await answer.text()
  const { _id: id }: { _id: string } = JSON.parse(session)
  const cookie = /^kb=([^;]+)/.exec(answer.headers.getSetCookie()[0] ?? '')?.[1] ?? ''
  return { id, session, cookie }
}

/** The browser that the tests use too. */
export async function browserPath(): Promise<string> {
  const found: { findBrowser(): Promise<string> } = await import(BROWSER)
  return found.findBrowser()
}
