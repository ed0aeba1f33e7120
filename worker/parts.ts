/** What is stored of a lesson besides its page: the person's notes, and the captions of its video. */

type Part = 'notes' | 'captions'

/** The cache's address for a part. The server has no such page. */
const addressOf = (part: Part, lesson: number) => `/${part}-of/${lesson}`
const ADDRESS = /^\/(?:notes|captions)-of\/(\d{1,15})$/
/** Three languages of captions with 10,000 lines each. */
const LONGEST = 5_000_000

/** Returns the id of the lesson that a part with this path belongs to, or null for other paths. */
export const lessonOfPart = (pathname: string): string | null => ADDRESS.exec(pathname)?.[1] ?? null

export interface KeptPart {
  /** Whose it is. */
  readonly person: string
  readonly part: Part
  readonly lesson: number
  readonly value: unknown
}

/** Stores what the page shows. */
export async function keepPart(
  kept: Cache | null,
  { part, lesson, value }: Omit<KeptPart, 'person'>,
): Promise<void> {
  const address = addressOf(part, lesson)
  const text = JSON.stringify(value) ?? ''
  if (kept === null || !ADDRESS.test(address) || text.length > LONGEST) return
  await kept.put(address, new Response(text, { headers: { 'content-type': 'application/json' } }))
}

/** Returns null if nothing is stored. */
export async function readPart(
  kept: Cache | null,
  { part, lesson }: Pick<KeptPart, 'part' | 'lesson'>,
): Promise<unknown> {
  const stored = await kept?.match(addressOf(part, lesson))
  return stored === undefined ? null : stored.json()
}
