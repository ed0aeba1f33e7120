/**
 * Tests that hub requests which reach another node than that of their connection are forwarded by TLS if NODE_URL
 * says so.
 */
import { readFile } from 'node:fs/promises'
import { connect, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createTestApp, type TestApp } from '#server/testing/app.ts'
import { makeCertificate } from '#server/testing/redis/kinds.ts'
import { startRedis } from '#server/testing/redis/process.ts'
import { makeTestFolder } from '#server/testing/folder.ts'

const trusted = getCACertificates('default')
const folder = await makeTestFolder()
const certificate = (await makeCertificate(folder)).text
const redis = await startRedis()
afterAll(async () => {
  setDefaultCACertificates(trusted)
  await redis.close()
})

interface Front {
  readonly url: string
  /** Connections whose handshake succeeded. */
  readonly met: () => number
  lead(port: number): void
  close(): void
}

/** Starts a server that terminates TLS in front of a node, on the same machine. */
async function startFront(): Promise<Front> {
  let target = 0
  let met = 0
  const [key, cert] = await Promise.all(
    ['key.pem', 'cert.pem'].map((name) => readFile(join(folder, name))),
  )
  const server = createServer({ key, cert }, (socket) => {
    met += 1
    const node = connect(target, '127.0.0.1')
    for (const end of [socket, node]) end.on('error', () => end.destroy())
    socket.pipe(node).pipe(socket)
  })
  // A client that doesn't trust it closes the connection.
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    met: () => met,
    lead: (port) => {
      target = port
    },
    close: () => void server.close(),
  }
}

/** Negotiates a connection with one node and uses it at the other; returns the status. */
async function crossOver(near: TestApp, far: TestApp, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  const negotiated = await fetch(`${far.url}/chatHub/negotiate?negotiateVersion=1`, {
    method: 'POST',
    headers,
  })
  const { connectionToken } = (await negotiated.json()) as { connectionToken: string }
  const id = encodeURIComponent(connectionToken)
  return (await fetch(`${near.url}/chatHub?id=${id}`, { headers })).status
}

test('hub requests go to another node by TLS, whose certificate must be trusted', async () => {
  const front = await startFront()
  const near = await createTestApp({ REDIS_URL: redis.url })
  const far = await createTestApp({ REDIS_URL: redis.url, NODE_URL: front.url }, null, near)
  front.lead(Number(new URL(far.url).port))
  onTestFinished(async () => {
    setDefaultCACertificates(trusted)
    front.close()
    await far.close()
    await near.close()
  })
  const { session } = await far.signUp('ann')
  expect(await crossOver(near, far, session.accessToken)).toBe(404)
  expect(front.met()).toBe(0)
  setDefaultCACertificates([...trusted, certificate])
  // The first poll of a connection is answered at once.
  expect(await crossOver(near, far, session.accessToken)).toBe(200)
  expect(front.met()).toBe(1)
}, 60_000)
