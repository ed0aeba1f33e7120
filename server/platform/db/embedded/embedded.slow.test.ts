import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { startEmbedded, type EmbeddedServer } from '#server/platform/db/embedded/embedded.ts'
import { processIdentity } from '#server/platform/db/embedded/process.ts'
import { ask as askDatabase } from '#server/testing/backup/commands.ts'
import { makeTestFolder } from '#server/testing/folder.ts'

const folder = await makeTestFolder()

const newDataDir = () => mkdtempSync(join(folder, 'data-'))

async function ask({ connection }: Pick<EmbeddedServer, 'connection'>, sql: string) {
  const [row = {}] = await askDatabase(connection, sql)
  return Object.values(row)[0]
}

/** Runs a process that starts the server, prints one line about it and keeps running. */
async function startElsewhere(dataDir: string): Promise<[ChildProcess, EmbeddedServer]> {
  const module = new URL('embedded.ts', import.meta.url).href
  const code = `
    import { startEmbedded } from ${JSON.stringify(module)}
    const server = await startEmbedded({ dataDir: process.argv[1], fsync: false })
    console.log(JSON.stringify(server))
    setInterval(() => {}, 1000)`
  const args = ['--input-type=module', '-e', code, dataDir]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line]: Buffer[] = await once(child.stdout, 'data')
  const server: EmbeddedServer = JSON.parse(String(line))
  return [child, server]
}

function serverPid(dataDir: string): number {
  return Number.parseInt(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)
}

test('two concurrent starts share one server, and the owner is named', async () => {
  const dataDir = newDataDir()
  const servers = await Promise.all([startElsewhere(dataDir), startElsewhere(dataDir)])
  const [mine, other] = servers.toSorted(([, a], [, b]) => Number(b.owned) - Number(a.owned))
  expect(mine?.[1].owned).toBe(true)
  expect(other?.[1]).toMatchObject({ owned: false, owner: mine?.[0].pid })
  for (const [child] of servers) child.kill('SIGKILL')
  await expect.poll(() => !existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(true)
})

test('the server stops when its parent is killed, and nothing committed is lost', async () => {
  const dataDir = newDataDir()
  const [child, elsewhere] = await startElsewhere(dataDir)
  await ask(elsewhere, 'create table t as select 7 as n')
  child.kill('SIGKILL')
  await once(child, 'exit')
  // There is no pause: the new start waits for the old server to exit.
  const server = await startEmbedded({ dataDir, fsync: false })
  expect(server.owned).toBe(true)
  expect(await ask(server, 'select n from t')).toBe(7)
  await server.stop()
  await expect.poll(() => !existsSync(elsewhere.connection.host)).toBe(true)
})

test('a killed server comes back at the same address', async () => {
  const dataDir = newDataDir()
  const server = await startEmbedded({ dataDir, fsync: false })
  const old = serverPid(dataDir)
  process.kill(old, 'SIGKILL')
  await expect.poll(() => serverPid(dataDir) !== old).toBe(true)
  await expect.poll(() => ask(server, 'select 1')).toBe(1)
  await server.stop()
})

/** Returns the process id of a backend. */
async function backendPid(server: Pick<EmbeddedServer, 'connection'>): Promise<number> {
  const client = new Client(server.connection)
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}

test('a killed backend costs seconds, and nothing committed', async () => {
  const dataDir = newDataDir()
  const server = await startEmbedded({ dataDir, fsync: false })
  await ask(server, 'create table t as select 7 as n')
  // Without fsync a commit may be only in memory.
  await ask(server, 'checkpoint')
  const began = performance.now()
  process.kill(await backendPid(server), 'SIGKILL')
  await expect.poll(() => ask(server, 'select n from t')).toBe(7)
  // Half of it is room for a busy machine.
  expect(performance.now() - began).toBeLessThan(10_000)
  await server.stop()
})

test('a start joins the server that another process is just restarting', async () => {
  const dataDir = newDataDir()
  const [child] = await startElsewhere(dataDir)
  process.kill(serverPid(dataDir), 'SIGKILL')
  await expect.poll(() => processIdentity(serverPid(dataDir)) === undefined).toBe(true)
  const server = await startEmbedded({ dataDir, fsync: false })
  expect(server).toMatchObject({ owned: false, owner: child.pid })
  expect(await ask(server, 'select 1')).toBe(1)
  child.kill('SIGKILL')
  await expect.poll(() => !existsSync(server.connection.host)).toBe(true)
})

test('a start after a kill during a recovery does not wait for half a minute', async () => {
  const dataDir = newDataDir()
  const [child, elsewhere] = await startElsewhere(dataDir)
  await ask(elsewhere, 'create table t as select 7 as n')
  // Without fsync a commit may be only in memory.
  await ask(elsewhere, 'checkpoint')
  process.kill(await backendPid(elsewhere), 'SIGKILL')
  await sleep(300)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const began = performance.now()
  const server = await startEmbedded({ dataDir, fsync: false })
  expect(performance.now() - began).toBeLessThan(15_000)
  expect(await ask(server, 'select n from t')).toBe(7)
  await server.stop()
})

test('the next start removes the socket folder of a killed watchdog', async () => {
  const dead = mkdtempSync(join(tmpdir(), 'bazaar-sockets-'))
  writeFileSync(join(dead, 'owner'), '1073741824:1')
  const living = mkdtempSync(join(tmpdir(), 'bazaar-sockets-'))
  writeFileSync(join(living, 'owner'), processIdentity(process.pid) ?? '')
  onTestFinished(() => rmSync(living, { recursive: true }))
  const server = await startEmbedded({ dataDir: newDataDir(), fsync: false })
  expect([existsSync(dead), existsSync(living)]).toEqual([false, true])
  await server.stop()
  expect(existsSync(server.connection.host)).toBe(false)
})

test('a pid file with the id of another process is stale', async () => {
  const dataDir = newDataDir()
  const first = await startEmbedded({ dataDir, fsync: false })
  const pidFile = join(dataDir, 'postgres/postmaster.pid')
  const [, ...rest] = readFileSync(pidFile, 'utf8').split('\n')
  await first.stop()
  writeFileSync(pidFile, [process.pid, ...rest].join('\n'))
  const second = await startEmbedded({ dataDir, fsync: false })
  expect(await ask(second, 'select 1')).toBe(1)
  await second.stop()
})
