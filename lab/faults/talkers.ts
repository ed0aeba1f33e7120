/** Pairs of people who write to each other with the official hub client, one pair over each transport. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { HttpTransportType, HubConnectionBuilder, LogLevel } from '@microsoft/signalr'
import { call, CALL_MS, register, silenceOf, type Person } from './people.ts'

export interface Talk {
  /** Messages that were answered with success. */
  readonly acknowledged: number
  /** Acknowledged, and not shown to the other one. */
  readonly lost: number
  /** Shown twice, as two messages or by two events of one connection. */
  readonly doubled: number
  /** Requests that failed, and connections that gave up, in words. */
  readonly failures: readonly string[]
  readonly reconnects: number
  /** Milliseconds from the answer to the writer until the reader saw the message, of the one that took longest. */
  readonly slowestMs: number
}

export interface Talkers {
  start(): void
  /** Stops writing and waits for what is under way to arrive. */
  finish(): Promise<Talk>
}

const TRANSPORTS = [
  ['WebSockets', HttpTransportType.WebSockets],
  ['ServerSentEvents', HttpTransportType.ServerSentEvents],
  ['LongPolling', HttpTransportType.LongPolling],
] as const

/** Between two messages of one person. */
const SPEAK_MS = 400
/** As the product's own page (web/chat/link/chat-link.ts), which never gives up. */
const RECONNECT_MS = [0, 2000, 10_000, 30_000]
const CATCH_UP_AGAIN_MS = 2000
/** A page that had just begun its longest pause connects within it, and catches up. */
const ARRIVE_MS = 45_000
const RELOAD_MS = 20_000
/** A message that takes longer is reported. */
const LATE_MS = 8000

interface Received {
  readonly id: number
  readonly text: string
}

/** Connects them; what they saw is stored by pair. `say`: what happens to them, when it does. */
export async function openTalkers(
  origin: string,
  say: (failure: string) => void,
): Promise<Talkers> {
  const pairs = await Promise.all(
    TRANSPORTS.map(([name, kind]) => openPair(origin, name, kind, say)),
  )
  return {
    start: () => {
      for (const pair of pairs) pair.start()
    },
    finish: async () => {
      const talks = await Promise.all(pairs.map((pair) => pair.finish()))
      const sum = (count: (talk: Talk) => number) =>
        talks.reduce((total, talk) => total + count(talk), 0)
      return {
        acknowledged: sum((talk) => talk.acknowledged),
        lost: sum((talk) => talk.lost),
        doubled: sum((talk) => talk.doubled),
        reconnects: sum((talk) => talk.reconnects),
        failures: talks.flatMap(({ failures }) => failures),
        slowestMs: Math.max(0, ...talks.map(({ slowestMs }) => slowestMs)),
      }
    },
  }
}

/**
 * Two people who write to each other over one transport. The function is long because both sides share what was written
 * and what was seen; each step is a short function of its own.
 */
async function openPair(
  origin: string,
  name: string,
  kind: HttpTransportType,
  say: (failure: string) => void,
): Promise<Talkers> {
  const speaker = await register(origin)
  const listener = await register(origin)
  const failures: string[] = []
  const fail = (what: string) => {
    failures.push(what)
    say(`${name}: ${what}`)
  }
  const shown = new Map<number, string>()
  const acknowledgedAt = new Map<string, number>()
  let slowestMs = 0
  /** A catch-up that fails is tried again until then. */
  let giveUpAt = Number.POSITIVE_INFINITY
  const show = (id: number, text: string) => {
    if (shown.has(id)) return
    shown.set(id, text)
    const since = acknowledgedAt.get(text)
    if (since === undefined) return
    const took = performance.now() - since
    slowestMs = Math.max(slowestMs, took)
    if (took > LATE_MS) say(`${name}: "${text}" was shown after ${(took / 1000).toFixed(1)} s`)
  }
  let doubled = 0
  let reconnects = 0

  const connect = (person: Person) => {
    const connection = new HubConnectionBuilder()
      .withUrl(`${origin}/chatHub`, {
        transport: kind,
        accessTokenFactory: () => person.accessToken,
      })
      .withAutomaticReconnect({
        nextRetryDelayInMilliseconds: ({ previousRetryCount }) =>
          RECONNECT_MS[Math.min(previousRetryCount, RECONNECT_MS.length - 1)] ?? 0,
      })
      .configureLogging(LogLevel.None)
      .build()
    let isWanted = true
    connection.onclose((error) => {
      if (isWanted) fail(`${name} gave up: ${error?.message ?? 'no error'}`)
    })
    const stop = async () => {
      isWanted = false
      await connection.stop()
    }
    return { connection, stop }
  }

  // As the product's own page does it: live events, and after each connect what came since the last catch-up.
  const heard = connect(listener)
  let live = new Set<number>()
  let known = 1
  heard.connection.on('ReceiveMessage', (text: string, _image: string, { id }: Received) => {
    if (live.has(id)) doubled += 1
    live.add(id)
    show(id, text)
  })
  const catchUp = async () => {
    for (;;) {
      const path = `/message/all/${speaker.username}?after=${known}`
      const { status, body } = await call(origin, listener, 'GET', path).catch(
        (error: unknown) => ({ status: silenceOf(error, CALL_MS), body: '' }),
      )
      if (status !== 200) {
        fail(`catch-up: ${status} ${JSON.stringify(body)}`)
        if (Date.now() > giveUpAt) return
        await sleep(CATCH_UP_AGAIN_MS)
        continue
      }
      const messages = body as Received[]
      for (const { id, text } of messages) show(id, text)
      known = messages.at(-1)?.id ?? known
      if (messages.length === 0) return
    }
  }
  heard.connection.onreconnecting((error) => say(`${name}: disconnected: ${error?.message ?? ''}`))
  heard.connection.onreconnected(async () => {
    reconnects += 1
    say(`${name}: connected again`)
    live = new Set()
    await catchUp()
  })
  // What the hub could not deliver live: it names the time over which clients are to ask.
  heard.connection.on('CatchUp', (within: number) => {
    setTimeout(() => void catchUp(), Math.random() * within)
  })
  const speaking = connect(speaker)
  await heard.connection.start()
  await speaking.connection.start()

  const acknowledged: string[] = []
  let isOver = false
  let talking: Promise<void> = Promise.resolve()
  const talk = async () => {
    for (let number = 0; !isOver; number += 1) {
      const text = `${name} ${number}`
      const json = { text, receiverUsername: listener.username, draftId: randomUUID() }
      for (;;) {
        const { status } = await call(origin, speaker, 'POST', '/message/create', { json }).catch(
          (error: unknown) => ({ status: silenceOf(error, CALL_MS) }),
        )
        if (status === 200) break
        fail(`message call ${status}`)
        await sleep(100)
      }
      acknowledged.push(text)
      if (![...shown.values()].includes(text)) acknowledgedAt.set(text, performance.now())
      // It asks for the delivery at once; unheard, the server delivers by itself.
      await speaking.connection
        .invoke('SendMessageToGroup', listener.username, text, '')
        .catch(() => undefined)
      await sleep(SPEAK_MS)
    }
  }
  return {
    start: () => {
      talking = talk()
    },
    finish: async () => {
      isOver = true
      await talking
      const texts = () => [...shown.values()]
      const missing = () => {
        const there = new Set(texts())
        return acknowledged.filter((text) => !there.has(text)).length
      }
      for (const end = Date.now() + ARRIVE_MS; missing() > 0 && Date.now() < end;) await sleep(50)
      // What a person sees only when the page is loaded again is not lost, and not delivered either.
      const late = missing()
      giveUpAt = Date.now() + RELOAD_MS
      if (late > 0) {
        await catchUp()
        fail(`${late - missing()} of the messages came with a reload only`)
      }
      await speaking.stop()
      await heard.stop()
      doubled += texts().length - new Set(texts()).size
      const found = { acknowledged: acknowledged.length, lost: missing() }
      return { ...found, doubled, failures, reconnects, slowestMs }
    },
  }
}
