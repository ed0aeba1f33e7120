/** One of several nodes that meet in Redis. */
import { createServer } from 'node:http'
import { createHubServer, subpathOf } from 'signalr-hub-server'
import { createRedisBackplane } from 'signalr-hub-server/redis'
import { connectRedis } from './redis.ts'

const port = Number(process.env['PORT'] ?? 3000)
const redis = connectRedis()
const backplane = createRedisBackplane({
  client: redis,
  // Where other nodes reach this one; clients don't use it.
  address: process.env['NODE_URL'] ?? `http://127.0.0.1:${port}`,
  // Called once when Redis is unavailable.
  onFault: (error) => console.error('backplane', error),
})
// Without a listener, ioredis prints every failed attempt.
redis.on('error', () => {})

const hub = createHubServer({
  secret: process.env['HUB_SECRET'] ?? '',
  backplane,
  // Tells clients to fetch what they may have missed while nodes were apart.
  catchUpEvent: 'CatchUp',
  definition: {
    methods: {
      Enter: (context, room) => context.join(String(room)),
      Say: async (context, room, text) => {
        await context.clients.group(String(room)).send('Said', text)
      },
    },
  },
})

const server = createServer((request, response) => {
  const subpath = subpathOf(request.url, '/hub')
  // For load balancers and operators.
  if (subpath === null) response.end(JSON.stringify({ hearsOthers: backplane.isConnected() }))
  else hub.answer(request, response, subpath)
})
server.on('upgrade', (request, socket, head) => {
  if (subpathOf(request.url, '/hub') === '') hub.upgrade(request, socket, head)
  else socket.destroy()
})
server.listen(port)

process.once('SIGTERM', async () => {
  // In this order, because each uses the next.
  await hub.close()
  await backplane.close()
  redis.disconnect()
  server.close()
})
