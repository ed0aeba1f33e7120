/** Runs the product with demo content for measurements in a browser. */
import { startNode } from '#lab/product.ts'

export interface Demo {
  readonly origin: string
  /** Path of a lesson that guests may open. */
  readonly lesson: string
  /** Path of a course with its first lesson. */
  readonly course: string
  /** Paths of a lesson that is a free preview, and of its open course. */
  readonly openLesson: string
  readonly openCourse: string
  readonly learner: SignedIn
}

/** A session as a browser stores it. */
export interface SignedIn {
  readonly id: string
  /** JSON. */
  readonly session: string
  /** Value of the cookie `kb`. */
  readonly cookie: string
}

export async function withDemo<T>(work: (demo: Demo) => Promise<T>): Promise<T> {
  const product = await startNode({ DEMO: '1' })
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
  }
}

async function read<T>(url: string): Promise<T> {
  return (await (await fetch(url)).json()) as T
}

const firstOf = async (url: string) => (await read<{ id: number }[]>(url))[0]?.id ?? 1

/** Returns the first course with a free preview, and that lesson. @throws when the demo has none */
async function findPreview(origin: string): Promise<{ course: number; lesson: number }> {
  for (const { id } of await read<{ id: number }[]>(`${origin}/api/course/highest`)) {
    const { freePreview } = await read<{ freePreview: number | null }>(`${origin}/api/course/${id}`)
    if (freePreview !== null) return { course: id, lesson: freePreview }
  }
  throw new Error('no course of the demo has a free preview')
}

/** Uses the name and password printed at the start. */
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
