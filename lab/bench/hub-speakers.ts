/**
 * How each kind of server of `npm run bench:hub` is spoken to, on bare sockets: so the clients cost the same, whoever
 * is measured. The hub and socket.io are spoken to in their own protocols, `ws` and events in bytes that say no more
 * than they must.
 */
import { Agent, get, request as post } from 'node:http'
import { WebSocket } from 'ws'

/** `events`: node:http, server-sent events one way and posts the other. */
export const EVERY_KIND = ['hub', 'ws', 'socket.io', 'events'] as const
export type Kind = (typeof EVERY_KIND)[number]

export interface Speaker {
  /** Asks for the text back. */
  echo(text: string): void
  join(group: string): void
  /** To all in a group. */
  tell(group: string, text: string): void
  /** Each piece that comes, and how many messages it ends. */
  hear(listener: (piece: Buffer, messages: number) => void): void
  leave(): void
}

const END = '\u001e'
const SEPARATOR = 0x1e
const LINE = 0x0a

/** Opens a connection that is ready to be spoken over. */
export function openSpeaker(kind: Kind, port: number): Promise<Speaker> {
  const open = { hub: openHub, ws: openBare, 'socket.io': openSocketIo, events: openEvents }[kind]
  return open(`127.0.0.1:${port}`)
}

/** `hear`: there from the start, as the first message may come with the upgrade. */
function dial(
  url: string,
  hear: (socket: WebSocket, piece: Buffer) => void = () => {},
): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { perMessageDeflate: false })
    socket.on('message', (piece: Buffer) => hear(socket, piece))
    socket.once('open', () => resolve(socket))
    socket.once('error', reject)
  })
}

const count = (piece: Buffer, wanted: number): number => {
  let found = 0
  // Byte by byte it would cost the clients of the hub more than those of `ws`, which count nothing.
  for (let at = piece.indexOf(wanted); at !== -1; at = piece.indexOf(wanted, at + 1)) found += 1
  return found
}

async function openHub(host: string): Promise<Speaker> {
  const negotiated = await fetch(`http://${host}/testhub/negotiate?negotiateVersion=1`, {
    method: 'POST',
  })
  const { connectionToken } = (await negotiated.json()) as { connectionToken: string }
  const socket = await dial(`ws://${host}/testhub?id=${connectionToken}`)
  await new Promise<void>((resolve) => {
    socket.once('message', () => resolve())
    socket.send(`{"protocol":"json","version":1}${END}`)
  })
  const call = (target: string, ...texts: string[]) =>
    socket.send(`{"type":1,"target":"${target}","arguments":["${texts.join('","')}"]}${END}`)
  return {
    echo: (text) =>
      socket.send(`{"type":1,"invocationId":"1","target":"Echo","arguments":["${text}"]}${END}`),
    join: (group) => call('JoinGroup', group),
    tell: (group, text) => call('SendToGroup', group, text),
    // The hub may merge answers into one frame.
    hear: (listener) =>
      socket.on('message', (piece: Buffer) => listener(piece, count(piece, SEPARATOR))),
    leave: () => socket.terminate(),
  }
}

async function openBare(host: string): Promise<Speaker> {
  const socket = await dial(`ws://${host}/`)
  return {
    echo: (text) => socket.send(`e${text}`),
    join: (group) => socket.send(`j${group}`),
    tell: (group, text) => socket.send(`r${group}${text}`),
    hear: (listener) => socket.on('message', (piece: Buffer) => listener(piece, 1)),
    leave: () => socket.terminate(),
  }
}

/** Frames of engine.io: 0 opens, 2 pings, 3 answers that, 4 is a packet of socket.io: 0 connects, 2 is an event. */
async function openSocketIo(host: string): Promise<Speaker> {
  let isReady = () => {}
  const ready = new Promise<void>((resolve) => {
    isReady = resolve
  })
  const url = `ws://${host}/socket.io/?EIO=4&transport=websocket`
  const socket = await dial(url, (own, piece) => {
    const text = piece.toString('latin1', 0, 2)
    if (text.startsWith('0')) own.send('40')
    if (text === '2') own.send('3')
    if (text === '40') isReady()
  })
  await ready
  const emit = (...texts: string[]) => socket.send(`42["${texts.join('","')}"]`)
  return {
    echo: (text) => emit('echo', text),
    join: (group) => emit('join', group),
    tell: (group, text) => emit('tell', group, text),
    hear: (listener) =>
      socket.on('message', (piece: Buffer) => {
        if (piece.length > 2) listener(piece, 1)
      }),
    leave: () => socket.terminate(),
  }
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

function openEvents(host: string): Promise<Speaker> {
  return new Promise((resolve, reject) => {
    const asked = get(`http://${host}/events`, { agent: false }, (response) => {
      let id = ''
      let lines = 0
      let hear: (piece: Buffer, messages: number) => void = () => {}
      const say = (body: string) => {
        post(`http://${host}/say/${id}`, { method: 'POST', agent }, (answer) =>
          answer.resume(),
        ).end(body)
      }
      response.on('data', (piece: Buffer) => {
        if (id === '') {
          id = piece.toString('latin1').slice('data: '.length).trim()
          resolve({
            echo: (text) => say(`e${text}`),
            join: (group) => say(`j${group}`),
            tell: (group, text) => say(`r${group}${text}`),
            hear: (listener) => {
              hear = listener
            },
            leave: () => asked.destroy(),
          })
          return
        }
        const before = Math.floor(lines / 2)
        lines += count(piece, LINE)
        hear(piece, Math.floor(lines / 2) - before)
      })
      response.on('error', () => {})
    })
    asked.on('error', reject)
  })
}
