/**
 * Runs the hub library with test hubs for test suites of other SignalR servers: `npm run hub:testserver -- --port
 * 5000`. Without a port it picks a free one and prints it.
 */
import { readFileSync } from 'node:fs'
import { readArguments } from '#scripts/arguments.mjs'
import { startTestServer } from '#signalr/testing/test-server.ts'

const HELP = `npm run hub:testserver -- [--port N] [--cert FILE --key FILE [--https-port N]]

/testhub  /testhub-nowebsockets  /authorizedhub  /uncreatable   hubs, with the methods that suites call
/echo                                                           a connection that says back what it hears
/echoredirect                                                   leads there, with status 307
/redirect?baseUrl=…  /bad-negotiate                             negotiations that lead elsewhere, or nowhere
/generateJwtToken                                               a token for /authorizedhub, good for 5 seconds
/clientresult/{connectionId}                                    asks that client for Result
/lib/signalr-webworker/signalr.js                               the official client as web workers load it
Paths in any case of letters; every page may connect. With a certificate and its key (PEM) it speaks TLS at a second
address. Only for tests.
`
const { values } = readArguments(HELP, {
  options: {
    port: { type: 'string', default: '0' },
    'https-port': { type: 'string', default: '0' },
    cert: { type: 'string' },
    key: { type: 'string' },
  },
})
const { cert, key } = values
const tls =
  cert === undefined || key === undefined
    ? {}
    : {
        tls: {
          cert: readFileSync(cert, 'utf8'),
          key: readFileSync(key, 'utf8'),
          port: Number(values['https-port']),
        },
      }
const server = await startTestServer({ port: Number(values.port), ...tls })
process.stdout.write(`The test hubs listen at ${server.url}\n`)
// Test suites wait for these lines.
for (const url of [server.secureUrl, server.url])
  if (url !== null) process.stdout.write(`Now listening on: ${url}\n`)
const end = () => {
  void server.close().then(() => process.exit(0))
}
process.once('SIGINT', end)
process.once('SIGTERM', end)
