/** Messages of your own over the connections of the hub. */
import { createRedisBackplane, createRedisLink } from 'signalr-hub-server/redis'
import { connectRedis } from './redis.ts'

const client = connectRedis()
client.on('error', () => {})
const link = createRedisLink({ client, address: 'http://127.0.0.1:3000' })
link.onAway((error) => console.error('Redis is away', error))
link.onBack(() => console.log('Redis is back: read again what you keep in memory'))

// A node also receives its own messages.
await link.subscribe('cache', (message, from) => {
  if (from !== link.node) console.log('drop', message.toString())
})
link.publish('cache', Buffer.from('lesson 7'))

/** The hub that uses it closes neither the link nor the client. */
export const backplane = createRedisBackplane({ link, namespace: 'hub' })
