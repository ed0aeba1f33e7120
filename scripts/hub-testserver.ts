/**
 * The hub library with its test hubs, for suites that were written for other SignalR servers:
 * `npm run hub:testserver -- --port 5000`. Without a port a free one is taken and printed.
 */
import { parseArgs } from 'node:util'
import { startTestServer } from '#signalr/testing/test-server.ts'

const { values } = parseArgs({
  options: { port: { type: 'string', default: '0' }, help: { type: 'boolean' } },
})
if (values.help === true) {
  process.stdout.write(`npm run hub:testserver -- [--port N]

/testhub  /testhub-nowebsockets  /authorizedhub  /uncreatable   hubs, with the methods that suites call
/echo                                                           a connection that says back what it hears
/redirect?baseUrl=…  /bad-negotiate                             negotiations that lead elsewhere, or nowhere
/generateJwtToken                                               a token for /authorizedhub, good for 5 seconds
/clientresult/{connectionId}                                    asks that client for Result
Paths in any case of letters; every page may connect. Only for tests.
`)
} else {
  const server = await startTestServer({ port: Number(values.port) })
  process.stdout.write(`The test hubs listen at ${server.url}\n`)
  const end = () => {
    void server.close().then(() => process.exit(0))
  }
  process.once('SIGINT', end)
  process.once('SIGTERM', end)
}
