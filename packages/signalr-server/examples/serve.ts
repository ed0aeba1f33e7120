/** `node serve.js express 3000` runs the room with one of the examples. Port 0 picks a free one and prints it. */
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { HubServer } from 'signalr-hub-server'
import { mountOnExpress } from './express.ts'
import { mountOnFastify } from './fastify.ts'
import { mountOnHono } from './hono.ts'
import { mountOnHttp } from './http.ts'
import { mountOnKoa } from './koa.ts'
import { createRoom } from './room.ts'

const MOUNTS: Readonly<Record<string, (hub: HubServer) => Server | Promise<Server>>> = {
  http: mountOnHttp,
  express: mountOnExpress,
  fastify: mountOnFastify,
  hono: mountOnHono,
  koa: mountOnKoa,
}

const [, , name = 'http', port = '3000'] = process.argv
const mount = MOUNTS[name]
if (mount === undefined) throw new Error(`Say one of ${Object.keys(MOUNTS).join(', ')}.`)
// Pages of this other origin may connect too.
const hub = createRoom({ origins: ['http://friend.example'] })
const server = await mount(hub)
server.listen(Number(port), '127.0.0.1')
await once(server, 'listening')
const address = server.address()
console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : port}`)
process.once('SIGTERM', () => {
  // Notifies the clients first, then closes the server.
  void hub.close(1000).then(() => server.close())
  setTimeout(() => process.exit(), 2000).unref()
})
