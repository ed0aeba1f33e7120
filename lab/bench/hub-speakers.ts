/** How both kinds of server of `npm run bench:hub` are spoken to, on bare sockets, so that the clients cost the same. */
import { WebSocket } from 'ws'

export type Kind = 'hub' | 'ws'

export interface Speaker {
  join(group: string): void
  /** To all in a group. */
  tell(group: string, text: string): void
  /** Each piece that comes, and how many messages it ends. */
  hear(listener: (piece: Buffer, messages: number) => void): void
  leave(): void
}

const END = '\u001e'
const SEPARATOR = 0x1e

/** Opens a connection that is ready to be spoken over. */
export function openSpeaker(kind: Kind, port: number): Promise<Speaker> {
  const open = { hub: openHub, ws: openBare }[kind]
  return open(`127.0.0.1:${port}`)
}

function dial(url: string): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { perMessageDeflate: false })
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
    join: (group) => socket.send(`j${group}`),
    tell: (group, text) => socket.send(`r${group}${text}`),
    hear: (listener) => socket.on('message', (piece: Buffer) => listener(piece, 1)),
    leave: () => socket.terminate(),
  }
}
