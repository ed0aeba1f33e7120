/** Tests the hub library in Chromium: a page of another site connects to the test server with each transport. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test as base, type Page } from '@playwright/test'
import type * as SignalR from '@microsoft/signalr'
import { startTestServer, type TestServer } from '#signalr/testing/test-server.ts'

const run = promisify(execFile)
const { resolve } = createRequire(import.meta.url)
const scriptOf = (name: string, file: string) => join(dirname(resolve(name)), '..', 'browser', file)

interface Parts {
  /** Both addresses of the test server. */
  readonly hub: TestServer
  /** A page of another site that contains the client. */
  readonly foreign: Page
}

const test = base.extend<Pick<Parts, 'foreign'>, Pick<Parts, 'hub'>>({
  hub: [
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'hub-in-chromium-'))
      const [keyFile, file] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
      const made = ['-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', keyFile, '-out', file]
      await run('openssl', ['req', '-x509', ...made, '-subj', '/CN=localhost'])
      const [cert, key] = [await readFile(file, 'utf8'), await readFile(keyFile, 'utf8')]
      const server = await startTestServer({ tls: { cert, key } })
      await use(server)
      await server.close()
      await rm(folder, { recursive: true })
    },
    { scope: 'worker' },
  ],
  foreign: async ({ browser }, use) => {
    const site = createServer((_request, response) =>
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>x</title>'),
    ).listen(0, '127.0.0.1')
    await new Promise((done) => site.once('listening', done))
    const page = await (await browser.newContext({ ignoreHTTPSErrors: true })).newPage()
    // Another host name of this machine is another site.
    await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`)
    await page.addScriptTag({ path: scriptOf('@microsoft/signalr', 'signalr.js') })
    const bytes = scriptOf('@microsoft/signalr-protocol-msgpack', 'signalr-protocol-msgpack.js')
    await page.addScriptTag({ path: bytes })
    await use(page)
    await page.context().close()
    site.close()
  },
})

/** The global that the client's script creates. */
interface Global {
  signalR: typeof SignalR & {
    protocols: { msgpack: { MessagePackHubProtocol: new () => SignalR.IHubProtocol } }
  }
}

for (const [transport, protocol] of [
  ['WebSockets', 'json'],
  ['WebSockets', 'messagepack'],
  ['ServerSentEvents', 'json'],
  ['LongPolling', 'json'],
  ['LongPolling', 'messagepack'],
] as const) {
  test(`a page of another site speaks ${protocol} over ${transport}`, async ({ hub, foreign }) => {
    const received = await foreign.evaluate(
      async ([url, name, spoken]) => {
        const { signalR } = globalThis as unknown as Global
        const connection = new signalR.HubConnectionBuilder()
          .withUrl(`${url}/testhub`, { transport: signalR.HttpTransportType[name] })
          .withHubProtocol(
            spoken === 'json'
              ? new signalR.JsonHubProtocol()
              : new signalR.protocols.msgpack.MessagePackHubProtocol(),
          )
          .configureLogging(signalR.LogLevel.None)
          .build()
        await connection.start()
        const event = new Promise((done) => connection.on('Message', done))
        await connection.send('InvokeWithString', 'an event')
        const items: unknown[] = []
        await new Promise<void>((done, fail) => {
          connection
            .stream('Stream')
            .subscribe({ next: (item) => items.push(item), complete: done, error: fail })
        })
        const all = {
          echo: await connection.invoke('Echo', '你好'),
          transport: await connection.invoke('GetActiveTransportName'),
          event: await event,
          items,
        }
        await connection.stop()
        return all
      },
      [hub.url, transport, protocol] as const,
    )
    expect(received).toEqual({
      echo: '你好',
      transport,
      event: 'an event',
      items: ['a', 'b', 'c'],
    })
  })
}

test('a web worker loads the client from the test server and connects', async ({
  hub,
  foreign,
}) => {
  const reply = await foreign.evaluate(async (url) => {
    const source = `
      importScripts('${url}/lib/signalr-webworker/signalr.js')
      const connection = new signalR.HubConnectionBuilder().withUrl('${url}/testhub').build()
      connection.on('Message', (text) => postMessage(text))
      connection.start().then(() => connection.send('InvokeWithString', 'from a worker'))
    `
    const worker = new Worker(URL.createObjectURL(new Blob([source])))
    return new Promise((done, fail) => {
      worker.addEventListener('message', ({ data }) => done(data))
      worker.addEventListener('error', ({ message }) => fail(new Error(message)))
    })
  }, hub.url)
  expect(reply).toBe('from a worker')
})

for (const name of ['WebSockets', 'ServerSentEvents', 'LongPolling'] as const) {
  test(`over TLS a cross-site page sends its cookies over ${name}`, async ({ hub, foreign }) => {
    const cookies = await foreign.evaluate(
      async ([url, transport]) => {
        const { signalR } = globalThis as unknown as Global
        const connection = new signalR.HubConnectionBuilder()
          .withUrl(`${url}/testhub`, { transport: signalR.HttpTransportType[transport] })
          .build()
        await connection.start()
        const asked = ['testCookie', 'testCookie2', 'expiredCookie']
        return Promise.all(asked.map((cookie) => connection.invoke('GetCookie', cookie)))
      },
      [hub.secureUrl ?? '', name] as const,
    )
    expect(cookies).toEqual(['testValue', 'testValue2', null])
  })
}
