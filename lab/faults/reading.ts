/** Reads all writes back page by page, and checks the ledgers of the writers. */
import { call, type Person } from './people.ts'

const MOST_PAGES = 2000

/** Counts how often each text is found: messages between neighbours, comments on the lesson, titles of lessons. */
export async function readAll(
  origin: string,
  people: readonly Person[],
  lesson: number,
): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  const note = (text: string) => void found.set(text, (found.get(text) ?? 0) + 1)
  for (const [place, person] of people.entries()) {
    const next = people[(place + 1) % people.length]
    if (next === undefined) continue
    // With two people, the other direction is read by the other person.
    for (const { text, senderUsername } of await readMessages(origin, person, next.username))
      if (senderUsername === person.username) note(text)
    for (const { title } of await readLessons(origin, person)) note(title)
  }
  const [first] = people
  if (first !== undefined)
    for (const { text } of await readComments(origin, first, lesson)) note(text)
  return found
}

/** @throws Error unless the answer is 200 */
async function read(origin: string, person: Person, path: string): Promise<unknown> {
  const { status, body } = await call(origin, person, 'GET', path, { timeoutMs: 15_000 })
  if (status !== 200) throw new Error(`${path} answered ${status}`)
  return body
}

interface ReadMessage {
  id: number
  text: string
  senderUsername: string
}

async function readMessages(origin: string, person: Person, other: string): Promise<ReadMessage[]> {
  // `after` starts at 1, so the very first message needs its own request.
  const all = (await read(origin, person, `/message/all/${other}?before=2`)) as ReadMessage[]
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const path = `/message/all/${other}?after=${all.at(-1)?.id ?? 1}`
    const part = (await read(origin, person, path)) as ReadMessage[]
    if (part.length === 0) return all
    all.push(...part)
  }
  throw new Error('there are more messages than an experiment writes')
}

interface ReadComment {
  id: number
  text: string
}

async function readComments(origin: string, person: Person, lesson: number) {
  const all: ReadComment[] = []
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const before = all.at(-1)?.id
    const path = `/comment/lesson/${lesson}${before === undefined ? '' : `?before=${before}`}`
    const part = (await read(origin, person, path)) as ReadComment[]
    if (part.length === 0) return all
    all.push(...part)
  }
  throw new Error('there are more comments than an experiment writes')
}

async function readLessons(origin: string, person: Person) {
  const all: { title: string }[] = []
  for (let page = 1; page < MOST_PAGES; page += 1) {
    const part = (await read(origin, person, `/lesson/yours?page=${page}`)) as { title: string }[]
    if (part.length === 0) return all
    all.push(...part)
  }
  throw new Error('there are more lessons than an experiment writes')
}

interface ReadLedger {
  kbPoints: number
  debt: number
  total: number
  entries: { id: number; amount: number }[]
}

/** The net of each person must be the sum of the entries. */
export async function checkBooks(origin: string, people: readonly Person[]): Promise<string[]> {
  const wrong: string[] = []
  for (const person of people) {
    const entries = new Map<number, number>()
    let net = 0
    for (let page = 1; page < MOST_PAGES; page += 1) {
      const path = `/identity/points?page=${page}`
      const ledger = (await read(origin, person, path)) as ReadLedger
      net = ledger.kbPoints - ledger.debt
      for (const { id, amount } of ledger.entries) entries.set(id, amount)
      if (entries.size >= ledger.total || ledger.entries.length === 0) break
    }
    const sum = [...entries.values()].reduce((total, amount) => total + amount, 0)
    if (sum !== net) wrong.push(`the books of one don't balance: ${sum} in entries, net ${net}`)
  }
  return wrong
}
