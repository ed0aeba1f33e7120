/** Clients of both servers of `npm run bench:hub` on plain sockets, so that they cost the same. */
import { WebSocket } from 'ws'

export type Kind = 'hub' | 'ws'

export interface Speaker {
  join(group: string): void
  tell(group: string, text: string): void
  /** Listens to frames. A frame may contain several hub messages. */
  hear(listener: (frame: Buffer) => void): void
  leave(): void
}

const END = '\u001e'

/** Opens a connection that is ready for messages. */
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
    hear: (listener) => socket.on('message', listener),
    leave: () => socket.terminate(),
  }
}

async function openBare(host: string): Promise<Speaker> {
  const socket = await dial(`ws://${host}/`)
  return {
    join: (group) => socket.send(`j${group}`),
    tell: (group, text) => socket.send(`r${group}${text}`),
    hear: (listener) => socket.on('message', listener),
    leave: () => socket.terminate(),
  }
}
