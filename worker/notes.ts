/** What a person has noted on the lessons that are kept. */

/** An address that only the worker knows. */
const addressOf = (lesson: number) => `/notes-of/${lesson}`
const ADDRESS = /^\/notes-of\/(\d{1,15})$/
const LONGEST = 1_000_000

/** The lesson whose notes are kept under a path; null for other paths. */
export const lessonOfNotes = (pathname: string): string | null =>
  ADDRESS.exec(pathname)?.[1] ?? null

/** Keeps them as the page shows them now. */
export async function keepNotes(kept: Cache | null, lesson: number, notes: unknown): Promise<void> {
  const address = addressOf(lesson)
  const text = JSON.stringify(notes) ?? ''
  if (kept === null || !ADDRESS.test(address) || text.length > LONGEST) return
  await kept.put(address, new Response(text, { headers: { 'content-type': 'application/json' } }))
}

/** Null where none are kept. */
export async function readNotes(kept: Cache | null, lesson: number): Promise<unknown> {
  const stored = await kept?.match(addressOf(lesson))
  return stored === undefined ? null : stored.json()
}
