/**
 * Requests that two servers may read differently, sent byte by byte to deploy/nginx.conf before a node: the node never
 * answers a request that nginx has not seen, and nobody else's answer is another's. The requests are smuggling.json.
 */
import type { ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeTestFolder } from '#server/testing/folder.ts'
import { spawnNginx } from '#server/testing/nginx.ts'
import { findTestPort } from '#server/testing/port.ts'
import { openTestApp } from '#server/testing/setup.ts'

/** What the hidden request asks for: nobody else does here. */
const HIDDEN = '/api/openapi.json'
/** How long an answer is waited for that may never come, because the request has no end. */
const QUIET_MS = 300
const AT_ONCE = 8
const READY_MS = 20_000
const WELL = JSON.stringify([200, 'ok'])

const attacks = JSON.parse(
  await readFile(new URL('smuggling.json', import.meta.url), 'utf8'),
) as Record<string, string>
const folder = await makeTestFolder()
const node = await openTestApp({ TRUST_PROXY: '1', LOG_LEVEL: 'info' })
const port = await findTestPort()
let nginx: ChildProcess

beforeAll(async () => {
  const site = (await readFile('deploy/nginx.conf', 'utf8'))
    .replace(/\bnode1:3000/, `127.0.0.1:${new URL(node.url).port}`)
    .replaceAll(/^.*node[23]:3000.*\n/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
  const log = `log_format seen '$upstream_status $request_uri'; access_log ${join(folder, 'seen')} seen;`
  nginx = await spawnNginx(folder, site, log)
  nginx.stderr?.resume()
  nginx.on('error', () => {})
  for (const end = Date.now() + READY_MS; JSON.stringify(await ask()) !== WELL; await sleep(50))
    if (Date.now() > end) throw new Error('nginx did not start')
})
afterAll(async () => {
  const ended = new Promise((resolve) => nginx.once('exit', resolve))
  if (nginx.exitCode === null && nginx.pid !== undefined) {
    nginx.kill('SIGTERM')
    await ended
  }
})

/** What anybody else gets meanwhile. */
async function ask(): Promise<unknown> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`)
    const body = (await answer.json()) as { status?: unknown }
    return [answer.status, body.status]
  } catch (error) {
    return String(error)
  }
}

/** Everything that comes back for these bytes, until the other side ends it or says nothing more. */
function send(raw: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let said = ''
    const end = () => {
      socket.destroy()
      resolve(said)
    }
    socket.setTimeout(QUIET_MS, end)
    socket.on('error', end).on('close', end)
    socket.on('data', (piece: Buffer) => (said += piece.toString('latin1')))
    socket.on('connect', () => socket.write(Buffer.from(raw, 'latin1')))
  })
}

/** Addresses that nginx has passed on, one line each. */
const seenByNginx = async () =>
  (await readFile(join(folder, 'seen'), 'utf8'))
    .split('\n')
    .filter((line) => /^\d/.test(line))
    .map((line) => line.replace(/^[\d, :]+ /, ''))
/** Routes that the node has answered. */
const answeredByNode = () =>
  node.logged
    .map((line) => JSON.parse(line) as { msg?: string; route?: string })
    .filter(({ msg }) => msg === 'request')
    .map(({ route }) => route ?? '')

test('no request comes to the node that nginx has not seen, and nobody gets the answer of another', async () => {
  const waiting = Object.entries(attacks)
  expect(waiting.length).toBeGreaterThan(60)
  const wrong: unknown[] = []
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [name, raw] = next
      const said = await send(raw)
      if (said.startsWith('HTTP/1.1 101')) wrong.push([name, 'a tunnel'])
      if (/^HTTP\/1\.1 5/m.test(said) && !/^HTTP\/1\.1 50[15]/m.test(said))
        wrong.push([name, said.slice(0, 200)])
      if (said.includes('X-Secret: told')) wrong.push([name, 'echoed'])
      const other = await ask()
      if (JSON.stringify(other) !== WELL) wrong.push([name, other])
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  expect(wrong).toEqual([])
  const hidden = (list: readonly string[]) => list.filter((address) => address === HIDDEN).length
  expect(answeredByNode().length).toBeGreaterThan(Object.keys(attacks).length)
  // nginx writes its line when an answer has been passed on, a moment after the node's.
  await expect
    .poll(async () => {
      const [nginxSaw, nodeSaw] = [await seenByNginx(), answeredByNode()]
      return nodeSaw.length <= nginxSaw.length && hidden(nodeSaw) <= hidden(nginxSaw)
    })
    .toBe(true)
})
