/**
 * `npm run bench:hub -- --soak 10`: pairs of people write to each other for so many minutes, over each transport,
 * while the network of each is cut for 2 seconds at random. At the end both must show exactly what the server has,
 * and the server must have everything that was written, once. `--seed N` repeats the cuts and pauses of a run.
 */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chat } from '#contract/chat.ts'
import type { Message } from '#contract/chat.schemas.ts'
import { HISTORY_PAGE } from '#contract/limits.ts'
import { testPicture } from '#server/testing/app.ts'
import type { Room } from '#web/chat/conversation/room.ts'
import { removeDataDir } from '#server/testing/product.ts'
import { buildPages, startProduct } from './product.ts'
import { quantile } from './rounds.ts'
import { createApi, joinSoak, type SoakPerson } from './soak-person.ts'
import { judged, type Section } from './table.ts'

const TRANSPORTS = ['WebSockets', 'ServerSentEvents', 'LongPolling'] as const
const PAIRS_EACH = 4
const CUT_MS = 2000
/** Between two cuts of one person, on average. */
const CALM_MS = 12_000
/** Between two messages of one person: 30 a minute are allowed. */
const SPEAK_MS = 2600
/** What a cut has held up must be through by then. */
const SETTLE_MS = 90_000

interface Side {
  readonly person: SoakPerson
  readonly room: Room
  /** Texts in their order. */
  readonly written: string[]
}

interface Pair {
  readonly transport: (typeof TRANSPORTS)[number]
  readonly sides: readonly [Side, Side]
  /** Milliseconds from writing to standing in the other's list, cuts included. */
  readonly late: number[]
}

interface Found {
  readonly written: number
  readonly lost: number
  readonly doubled: number
  readonly unordered: number
  readonly heardTwice: number
}

/**
 * Lets pairs of people write to each other for so many minutes while their networks are cut, and counts what was lost
 * or came twice. The same seed repeats the same cuts.
 */
export async function measureSoak(minutes: number, seed: number): Promise<Section> {
  await buildPages()
  const dataDir = await mkdtemp(join(tmpdir(), 'kb-soak-'))
  const product = await startProduct(dataDir)
  try {
    const random = createRandom(seed)
    const pairs: Pair[] = []
    for (const transport of TRANSPORTS) {
      for (let place = 0; place < PAIRS_EACH; place++)
        pairs.push(await openPair(product.port, transport, `${transport.slice(0, 3)}${place}`))
    }
    const end = Date.now() + minutes * 60_000
    const sides = pairs.flatMap((pair) => pair.sides)
    const cuts = await Promise.all([
      ...sides.map((side) => speak(side, end, random)),
      ...sides.map((side) => cutAtRandom(side.person, end, random)),
    ])
    await settle(pairs)
    const found = await Promise.all(pairs.map((pair) => judge(product.port, pair)))
    await Promise.all(sides.map(leave))
    return report(pairs, found, { minutes, seed, cuts: cuts.reduce((sum, one) => sum + one, 0) })
  } finally {
    await product.stop()
    await removeDataDir(dataDir)
  }
}

async function openPair(port: number, transport: Pair['transport'], name: string): Promise<Pair> {
  const join = async (username: string) => {
    const form = new FormData()
    form.set('username', username)
    form.set('email', `${username}@people.example`)
    form.set('password', `secret of ${username}`)
    form.set('image', await testPicture())
    return joinSoak(port, form, transport)
  }
  const people = [await join(`ann${name}`), await join(`bob${name}`)] as const
  const [ann, bob] = people
  const sides: Pair['sides'] = [
    { person: ann, room: ann.enter(bob), written: [] },
    { person: bob, room: bob.enter(ann), written: [] },
  ]
  const late: number[] = []
  for (const { room } of sides) {
    const known = new Set<number>()
    room.onArrival(() => {
      for (const { id, text, isOwn } of room.current().said.slice(-60)) {
        if (isOwn || known.has(id)) continue
        known.add(id)
        late.push(Date.now() - Number(text.split(' ')[1]))
      }
    })
  }
  return { transport, sides, late }
}

/** The last word is the number: whoever reads the texts sees the order. */
async function speak({ room, written }: Side, end: number, random: () => number): Promise<number> {
  while (Date.now() < end) {
    // Now and then the same words twice at once, which are two messages.
    const text = `at ${Date.now()} number ${written.length}`
    for (let times = random() < 0.1 ? 2 : 1; times > 0; times--) {
      room.send(text)
      written.push(text)
    }
    await sleep(SPEAK_MS * (0.5 + random()))
  }
  return 0
}

/** Half of the cuts end the connections, half leave them silent first. Answers how many there were. */
async function cutAtRandom(
  { proxy, link }: SoakPerson,
  end: number,
  random: () => number,
): Promise<number> {
  let cuts = 0
  for (;;) {
    await sleep(CALM_MS * 2 * random())
    if (Date.now() > end) return cuts
    cuts += 1
    proxy.block()
    if (random() < 0.5) proxy.freeze()
    else proxy.cut()
    await sleep(CUT_MS)
    proxy.cut()
    proxy.restore()
    // A browser tells when the network is back; often it does not know.
    if (random() < 0.5) link.wake()
  }
}

async function settle(pairs: readonly Pair[]): Promise<void> {
  const end = Date.now() + SETTLE_MS
  const isQuiet = ({ sides: [one, other] }: Pair) =>
    [one, other].every(({ room }) => room.current().unsent.length === 0) &&
    one.room.current().said.length === other.room.current().said.length &&
    one.room.current().said.length === one.written.length + other.written.length
  while (Date.now() < end && !pairs.every(isQuiet)) await sleep(500)
  // Whatever would come twice has come by then.
  await sleep(5000)
}

/** What each side shows, held against what was written and what the server has. */
async function judge(port: number, { sides }: Pair): Promise<Found> {
  const [one, other] = sides
  const history = await readHistory(port, one.person, other.person)
  let lost = 0
  let doubled = 0
  let unordered = 0
  let heardTwice = 0
  for (const side of sides) {
    const own = history.filter((row) => row.senderUsername === side.person.session.username)
    lost += Math.max(0, side.written.length - own.length)
    doubled += Math.max(0, own.length - side.written.length)
    if (own.some((row, place) => row.text !== side.written[place])) unordered += 1
    const shown = side.room.current().said.map(({ id }) => id)
    const ids = new Set(shown)
    lost += history.filter((row) => !ids.has(row.id)).length + side.room.current().unsent.length
    doubled += shown.length - ids.size
    if (shown.join() !== history.map((row) => row.id).join()) unordered += 1
    heardTwice += side.person.heard.length - new Set(side.person.heard).size
  }
  const written = one.written.length + other.written.length
  return { written, lost, doubled, unordered, heardTwice }
}

/** Not by the modules that are measured. */
async function readHistory(port: number, me: SoakPerson, other: SoakPerson): Promise<Message[]> {
  const api = createApi(`http://127.0.0.1:${port}`, me.session.accessToken)
  const receiver = other.session.username
  const all: Message[] = []
  for (;;) {
    const page = await api(chat.history, { receiver, before: all[0]?.id })
    all.unshift(...page)
    if (page.length < HISTORY_PAGE) return all
  }
}

async function leave({ person, room }: Side): Promise<void> {
  room.close()
  await person.leave()
}

function report(
  pairs: readonly Pair[],
  found: readonly Found[],
  { minutes, seed, cuts }: { minutes: number; seed: number; cuts: number },
): Section {
  const rows = TRANSPORTS.map((transport) => {
    const of = <T>(list: readonly T[]) => list.filter((_, at) => pairs[at]?.transport === transport)
    const sum = (field: keyof Found) => of(found).reduce((total, one) => total + one[field], 0)
    const late = of(pairs).flatMap((pair) => pair.late)
    const sorted = late.toSorted((one, two) => one - two)
    const connects = of(pairs)
      .flatMap(({ sides }) => sides)
      .reduce((total, { person }) => total + person.connects(), 0)
    const wrong = sum('lost') + sum('doubled') + sum('unordered')
    return [
      transport,
      String(sum('written')),
      String(connects),
      `${quantile(sorted, 0.5)} ms`,
      `${(quantile(sorted, 1) / 1000).toFixed(1)} s`,
      String(sum('heardTwice')),
      String(sum('lost')),
      String(sum('doubled')),
      String(sum('unordered')),
      judged('0 lost, 0 doubled', wrong === 0),
    ]
  })
  return {
    title: `${minutes} minutes of chat, ${cuts} cuts of 2 seconds`,
    columns: [
      'transport',
      'written',
      'connects',
      'p50',
      'slowest',
      'events twice',
      'lost',
      'doubled',
      'order',
      'goal',
    ],
    rows,
    notes: [
      `${pairs.length} pairs write both ways, each person behind a network of their own that is cut about every ${CALM_MS / 1000} s (seed ${seed}).`,
      'Lost, doubled, order: both lists and the server against each other and against what was written. Times are from writing to standing in the other list, cuts included.',
    ],
    raw: { minutes, seed, cuts, found },
  }
}

/** Mulberry32: the same numbers for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
