/** A person's notes on stored lessons. */

/** The cache's address for notes. The server has no such page. */
const addressOf = (lesson: number) => `/notes-of/${lesson}`
const ADDRESS = /^\/notes-of\/(\d{1,15})$/
const LONGEST = 1_000_000

/** Returns the id of the lesson whose notes have this path, or null for other paths. */
export const lessonOfNotes = (pathname: string): string | null =>
  ADDRESS.exec(pathname)?.[1] ?? null

/** Stores the notes that the page shows. */
export async function keepNotes(kept: Cache | null, lesson: number, notes: unknown): Promise<void> {
  const address = addressOf(lesson)
  const text = JSON.stringify(notes) ?? ''
  if (kept === null || !ADDRESS.test(address) || text.length > LONGEST) return
  await kept.put(address, new Response(text, { headers: { 'content-type': 'application/json' } }))
}

/** Returns null if none are stored. */
export async function readNotes(kept: Cache | null, lesson: number): Promise<unknown> {
  const stored = await kept?.match(addressOf(lesson))
  return stored === undefined ? null : stored.json()
}
