/** Real Redis servers for a test: with TLS, with Sentinels, or as a cluster. */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Redis } from 'ioredis'
import { findTestPort } from '#server/testing/port.ts'
import { startRedisServers } from '#signalr/testing/redis-servers.ts'

const run = promisify(execFile)

export interface RedisGroup {
  /** For REDIS_URL. */
  readonly url: string
  /** Kills the primary (one of them in a cluster) for good, so that a replica takes over. */
  readonly killPrimary: () => Promise<void>
  readonly close: () => Promise<void>
}

interface Server {
  readonly port: number
  readonly process: ChildProcess
}

/** Starts servers in subfolders of one folder, and stops them all. */
async function openFarm() {
  const folder = await mkdtemp(join(tmpdir(), 'kb-redis-'))
  const servers: Server[] = []
  const start = async (port: number, words: readonly string[]): Promise<Server> => {
    const own = join(folder, `${port}`)
    await mkdir(own)
    const common = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', own]
    const child = spawn('redis-server', [...words, ...common], { stdio: 'ignore' })
    const server = { port, process: child }
    servers.push(server)
    return server
  }
  const kill = async ({ process: child }: Server) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await exited
  }
  return {
    folder,
    start,
    kill,
    close: async () => {
      await Promise.all(servers.map(kill))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Repeats a command until its reply is as expected. Uses TLS if `ca` is given. */
async function until(
  port: number,
  command: [string, ...string[]],
  wanted: (text: string) => boolean,
  ca?: string,
) {
  const client = new Redis(port, '127.0.0.1', {
    retryStrategy: () => 50,
    maxRetriesPerRequest: null,
    ...(ca !== undefined && { tls: { ca } }),
  })
  client.on('error', () => {})
  try {
    for (;;) {
      const [name, ...words] = command
      const answer: unknown = await client.call(name, ...words).catch(() => '')
      if (wanted(JSON.stringify(answer))) return
      await sleep(50)
    }
  } finally {
    client.disconnect()
  }
}

/** Creates a certificate for this machine in a folder. `settings` configure a server that uses it. */
export async function makeCertificate(folder: string) {
  const [key, file] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost']
  const made = ['-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', file]
  await run('openssl', ['req', '-x509', ...made, ...subject])
  const settings = {
    'tls-auth-clients': 'no',
    'tls-replication': 'yes',
    'tls-cert-file': file,
    'tls-key-file': key,
    'tls-ca-cert-file': file,
  }
  return { file, text: await readFile(file, 'utf8'), settings }
}

/** Starts a server that only accepts TLS. `ca` is the path of the authority to trust. */
export async function startTlsRedis(): Promise<RedisGroup & { readonly untrusted: string }> {
  const farm = await openFarm()
  const { file, settings } = await makeCertificate(farm.folder)
  const port = await findTestPort()
  const server = await farm.start(port, wordsOf({ port: '0', 'tls-port': `${port}`, ...settings }))
  const untrusted = `rediss://127.0.0.1:${port}`
  return {
    url: `${untrusted}?ca=${encodeURIComponent(file)}`,
    untrusted,
    killPrimary: () => farm.kill(server),
    close: farm.close,
  }
}

const wordsOf = (settings: Readonly<Record<string, string>>) =>
  Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])

/**
 * Starts a primary, a replica and three Sentinels that promote the replica 1.5 s after the primary fails. `tls`
 * uses TLS for all connections.
 */
export async function startSentinels({ tls = false } = {}): Promise<RedisGroup> {
  const farm = await openFarm()
  const certificate = tls ? await makeCertificate(farm.folder) : null
  const listening = (port: number) => ({
    ...(tls ? { port: '0', 'tls-port': `${port}` } : { port: `${port}` }),
    ...certificate?.settings,
  })
  const [one, two] = [await findTestPort(), await findTestPort()]
  const primary = await farm.start(one, wordsOf(listening(one)))
  const follows = ['--replicaof', '127.0.0.1', `${one}`]
  await farm.start(two, [...wordsOf(listening(two)), ...follows])
  const isUp = (text: string) => text.includes('master_link_status:up')
  await until(two, ['INFO', 'replication'], isUp, certificate?.text)
  const ports: number[] = []
  for (let number = 0; number < 3; number += 1) {
    const port = await findTestPort()
    const file = join(farm.folder, `sentinel-${port}.conf`)
    const lines = [
      ...Object.entries(listening(port)).map(([name, value]) => `${name} ${value}`),
      `sentinel monitor bazaar 127.0.0.1 ${one} 2`,
      'sentinel down-after-milliseconds bazaar 1500',
      'sentinel failover-timeout bazaar 5000',
    ]
    await writeFile(file, `${lines.join('\n')}\n`)
    await farm.start(port, [file, '--sentinel'])
    ports.push(port)
  }
  const others = (text: string) =>
    text.includes('"num-slaves","1"') && text.includes('"num-other-sentinels","2"')
  for (const port of ports)
    await until(
      port,
      ['SENTINEL', 'MASTER', 'bazaar'],
      (text) => others(text) || /"num-slaves":"?1"?/.test(text),
      certificate?.text,
    )
  const places = ports.map((port) => `127.0.0.1:${port}`).join(',')
  const address = `redis${tls ? 's' : ''}+sentinel://${places}/bazaar`
  return {
    url: certificate === null ? address : `${address}?ca=${encodeURIComponent(certificate.file)}`,
    killPrimary: () => farm.kill(primary),
    close: farm.close,
  }
}

/** Starts a cluster of three primaries with a replica each. */
export async function startRedisCluster(): Promise<RedisGroup> {
  const { places, kill, close } = await startRedisServers('cluster')
  return { url: `redis+cluster://${places.join(',')}`, killPrimary: kill, close }
}
