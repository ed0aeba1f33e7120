/** The hub of the examples: one room where everybody receives all messages. */
import { createHubServer, type HubServer, type HubServerOptions } from 'signalr-hub-server'

/** For `hub.answer` and `hub.upgrade` of any kind of server. */
export function createRoom(options: Partial<HubServerOptions> = {}): HubServer {
  return createHubServer({
    // Use your own secret, the same on all nodes.
    secret: 'only for examples',
    definition: {
      methods: {
        Say: (context, text) => void context.clients.all().send('Said', text),
        Add: (_context, one, other) => Number(one) + Number(other),
      },
      streams: {
        async *Count(_context, to) {
          for (let n = 1; n <= Number(to); n++) yield n
        },
      },
    },
    ...options,
  })
}
