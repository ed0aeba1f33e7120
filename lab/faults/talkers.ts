/** Pairs of people chat with the official hub client, one pair for each transport. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { HttpTransportType, HubConnectionBuilder, LogLevel } from '@microsoft/signalr'
import { call, CALL_MS, register, silenceOf, type Person } from './people.ts'

export interface Talk {
  /** Messages answered with success. */
  readonly acknowledged: number
  /** Acknowledged messages that the listener never saw. */
  readonly lost: number
  /** Messages shown twice, as two messages or by two events of one connection. */
  readonly doubled: number
  /** Descriptions of failed requests and of connections that gave up. */
  readonly failures: readonly string[]
  readonly reconnects: number
  /** Longest time in ms from the answer to the speaker until the listener saw the message. */
  readonly slowestMs: number
  /** Longest time in ms of a call that sends a message. */
  readonly slowestCallMs: number
}

export interface Talkers {
  start(): void
  /** Resolves when every acknowledged message is shown, after 30 s at most. */
  arrived(): Promise<void>
  /** Stops writing and waits for the last messages to arrive. */
  finish(): Promise<Talk>
}

const TRANSPORTS = [
  ['WebSockets', HttpTransportType.WebSockets],
  ['ServerSentEvents', HttpTransportType.ServerSentEvents],
  ['LongPolling', HttpTransportType.LongPolling],
] as const

/** Pause between two messages of one person, in ms. */
const SPEAK_MS = 400
/** The same as in the product's own page (web/community/chat/link/chat-link.ts), which never gives up. */
const RECONNECT_MS = [0, 2000, 10_000, 30_000]
const CATCH_UP_AGAIN_MS = 2000
/** Longer than the longest pause between two attempts to connect. */
const ARRIVE_MS = 45_000
const ARRIVED_MS = 30_000
const RELOAD_MS = 20_000
/** A message that takes longer is reported. */
const LATE_MS = 8000

interface Received {
  readonly id: number
  readonly text: string
}

/** Where both sides connect: one load balancer, or two nodes. */
interface Origins {
  readonly speaker: string
  readonly listener: string
}

/** Connects all pairs. `say` receives disconnects and failures as they happen. */
export async function openTalkers(
  origins: Origins,
  say: (failure: string) => void,
): Promise<Talkers> {
  const pairs = await Promise.all(
    TRANSPORTS.map(([name, kind]) => openPair(origins, name, kind, say)),
  )
  return {
    start: () => {
      for (const pair of pairs) pair.start()
    },
    arrived: async () => {
      await Promise.all(pairs.map((pair) => pair.arrived()))
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
        slowestMs: Math.max(...talks.map(({ slowestMs }) => slowestMs)),
        slowestCallMs: Math.max(...talks.map(({ slowestCallMs }) => slowestCallMs)),
      }
    },
  }
}

/** Connects two people over one transport. */
async function openPair(
  origins: Origins,
  name: string,
  kind: HttpTransportType,
  say: (failure: string) => void,
): Promise<Talkers> {
  const speaker = await register(origins.speaker)
  const listener = await register(origins.listener)
  const failures: string[] = []
  const fail = (what: string) => {
    failures.push(what)
    say(`${name}: ${what}`)
  }
  const shown = new Map<number, string>()
  const acknowledgedAt = new Map<string, number>()
  let slowestMs = 0
  let slowestCallMs = 0
  /** A failed catch-up is retried until then. */
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

  const connect = (person: Person, origin: string) => {
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

  // As in the product's own page: live events, and after each connect the messages since the last catch-up.
  const receiving = connect(listener, origins.listener)
  let live = new Set<number>()
  let known = 0
  receiving.connection.on('ReceiveMessage', (text: string, _image: string, { id }: Received) => {
    if (live.has(id)) doubled += 1
    live.add(id)
    show(id, text)
  })
  const catchUp = async () => {
    for (;;) {
      // The first message of a database has the id 1, the lowest that `after` accepts.
      const query = known === 0 ? '' : `?after=${known}`
      const path = `/message/all/${speaker.username}${query}`
      const { status, body } = await call(origins.listener, listener, 'GET', path).catch(
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
  receiving.connection.onreconnecting((error) =>
    say(`${name}: disconnected: ${error?.message ?? ''}`),
  )
  receiving.connection.onreconnected(async () => {
    reconnects += 1
    say(`${name}: connected again`)
    live = new Set()
    await catchUp()
  })
  // The hub could not deliver live. `within` spreads the requests of the clients over a time.
  receiving.connection.on('CatchUp', (within: number) => {
    setTimeout(() => void catchUp(), Math.random() * within)
  })
  const speaking = connect(speaker, origins.speaker)
  await receiving.connection.start()
  await speaking.connection.start()

  const acknowledged: string[] = []
  const missing = () => {
    const there = new Set(shown.values())
    return acknowledged.filter((text) => !there.has(text))
  }
  let isOver = false
  let talking: Promise<void> = Promise.resolve()
  const talk = async () => {
    for (let number = 0; !isOver; number += 1) {
      const text = `${name} ${number}`
      const json = { text, receiverUsername: listener.username, draftId: randomUUID() }
      for (;;) {
        const begun = performance.now()
        const { status } = await call(origins.speaker, speaker, 'POST', '/message/create', {
          json,
        }).catch((error: unknown) => ({ status: silenceOf(error, CALL_MS) }))
        slowestCallMs = Math.max(slowestCallMs, performance.now() - begun)
        if (status === 200) break
        fail(`message call ${status}`)
        await sleep(100)
      }
      acknowledged.push(text)
      if (![...shown.values()].includes(text)) acknowledgedAt.set(text, performance.now())
      // Requests immediate delivery. If the call fails, the server delivers later.
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
    arrived: async () => {
      const due = new Set(missing())
      for (const end = Date.now() + ARRIVED_MS; Date.now() < end; await sleep(20))
        if (!missing().some((text) => due.has(text))) return
    },
    finish: async () => {
      isOver = true
      await talking
      for (const end = Date.now() + ARRIVE_MS; missing().length > 0 && Date.now() < end;)
        await sleep(50)
      // Messages that a person sees only after a reload are late, not lost.
      const late = missing().length
      giveUpAt = Date.now() + RELOAD_MS
      if (late > 0) {
        await catchUp()
        fail(`${late - missing().length} of the messages came with a reload only`)
      }
      await speaking.stop()
      await receiving.stop()
      doubled += shown.size - new Set(shown.values()).size
      const found = { acknowledged: acknowledged.length, lost: missing().length }
      return { ...found, doubled, failures, reconnects, slowestMs, slowestCallMs }
    },
  }
}
