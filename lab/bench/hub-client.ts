/** Runs the clients of `npm run bench:hub`: reads a job from stdin and writes the result as JSON to stdout. */
import { text } from 'node:stream/consumers'
import { openSpeaker, type Kind, type Speaker } from './hub-speakers.ts'

export interface HubJob {
  readonly kind: Kind
  readonly what: 'relay' | 'connect'
  readonly port: number
  readonly connections: number
  readonly seconds: number
  /** Latencies of a relay count after this time. */
  readonly warmSeconds: number
  /** Bytes per message. */
  readonly payload: number
  /** Relayed messages per second. */
  readonly rate: number
}

export interface HubResult {
  readonly count: number
  readonly seconds: number
  readonly lost: number
  readonly doubled: number
  /** In ms. */
  readonly p50: number
  readonly p99: number
  /** Of messages during the warm-up. */
  readonly coldP99?: number
}

const job = JSON.parse(await text(process.stdin)) as HubJob
const { kind, port, connections, seconds, rate } = job
const filler = 'x'.repeat(job.payload)

async function openAll(count: number): Promise<Speaker[]> {
  const speakers: Speaker[] = []
  const open = () => openSpeaker(kind, port)
  // Limited by the accept queue of a listening socket.
  while (speakers.length < count)
    speakers.push(
      ...(await Promise.all(Array.from({ length: Math.min(50, count - speakers.length) }, open))),
    )
  return speakers
}

const at = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

/** Pairs send at a fixed rate, so that latencies include queueing. */
async function relay(): Promise<HubResult> {
  const speakers = await openAll(connections)
  const late: number[] = []
  const lateAtFirst: number[] = []
  const received = new Map<number, number>()
  const nameOf = (place: number) => `g${String(place).padStart(7, '0')}`
  const begin = performance.now()
  const plan = (number: number) => begin + 500 + (number * 1000) / rate
  for (const [place, speaker] of speakers.entries()) {
    speaker.hear((data) => {
      for (const [, found] of data.toString('latin1').matchAll(/#(\d+)#/g)) {
        const number = Number(found)
        received.set(number, (received.get(number) ?? 0) + 1)
        const ms = performance.now() - plan(number)
        if (number < cold) lateAtFirst.push(ms)
        else late.push(ms)
      }
    })
    speaker.join(nameOf(place))
  }
  const cold = rate * job.warmSeconds
  const total = cold + rate * seconds
  let sent = 0
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const now = performance.now()
      while (sent < total && plan(sent) <= now) {
        const from = speakers[sent % connections]
        from?.tell(nameOf((sent + 1) % connections), `#${sent}#${filler}`)
        sent += 1
      }
      if (sent < total) return
      clearInterval(timer)
      resolve()
    }, 1)
  })
  const passed = (performance.now() - begin - 500) / 1000
  const end = Date.now() + 5000
  while (received.size < total && Date.now() < end) await sleep(20)
  for (const speaker of speakers) speaker.leave()
  const sorted = late.toSorted((one, other) => one - other)
  const sortedAtFirst = lateAtFirst.toSorted((one, other) => one - other)
  return {
    count: received.size,
    seconds: passed,
    lost: total - received.size,
    doubled: late.length + lateAtFirst.length - received.size,
    p50: at(sorted, 0.5),
    p99: at(sorted, 0.99),
    coldP99: at(sortedAtFirst, 0.99),
  }
}

async function connect(): Promise<HubResult> {
  const begin = performance.now()
  const speakers = await openAll(connections)
  const passed = (performance.now() - begin) / 1000
  await sleep(seconds * 1000)
  for (const speaker of speakers) speaker.leave()
  await sleep(200)
  return { count: speakers.length, seconds: passed, lost: 0, doubled: 0, p50: 0, p99: 0 }
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const work = { relay, connect }[job.what]
process.stdout.write(JSON.stringify(await work()))
process.exit(0)
