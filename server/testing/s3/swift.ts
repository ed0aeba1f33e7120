/**
 * OpenStack Swift with its S3 interface on this machine. Unlike the package, it checks signatures and permissions
 * correctly. Needs Debian's packages swift-proxy, swift-account, swift-container and swift-object.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { findTestPort } from '#server/testing/port.ts'

const run = promisify(execFile)

export interface Swift {
  /** For S3_URL, with an empty bucket. */
  readonly url: string
  close(): Promise<void>
}

const PROGRAMS = ['account', 'container', 'object', 'proxy'] as const
const START_MS = 30_000
const [USER, SECRET] = ['test:tester', 'testing']
const BUCKET = 'bazaar'

/** Returns whether the packages are installed, by the file that they all read. */
export function hasSwift(): boolean {
  return (
    PROGRAMS.every((name) => existsSync(`/usr/bin/swift-${name}-server`)) &&
    existsSync('/etc/swift/swift.conf')
  )
}

/** Starts it in a temporary folder. @throws Error with its output when it doesn't listen in time */
export async function startSwift(): Promise<Swift> {
  const folder = await mkdtemp(join(tmpdir(), 'kb-swift-'))
  await mkdir(join(folder, 'devices', 'd1'), { recursive: true })
  const ports: Record<string, number> = {}
  for (const name of PROGRAMS) ports[name] = await findTestPort()
  for (const name of ['account', 'container', 'object'])
    await makeRing(folder, name, ports[name] ?? 0)
  const processes: ChildProcess[] = []
  let output = ''
  for (const name of PROGRAMS) {
    const file = join(folder, `${name}.conf`)
    await writeFile(file, name === 'proxy' ? proxyConf(folder, ports) : conf(folder, name, ports))
    const child = spawn(`/usr/bin/swift-${name}-server`, [file, '-v'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => (output = (output + text.toString()).slice(-4000)))
    processes.push(child)
  }
  const close = async () => {
    for (const child of processes) child.kill('SIGTERM')
    await sleep(200)
    for (const child of processes) child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  const endpoint = `http://127.0.0.1:${ports['proxy']}`
  try {
    for (const name of PROGRAMS) await listening(ports[name] ?? 0)
    await createBucket(endpoint)
  } catch (error) {
    await close()
    throw new Error(`Swift did not start: ${String(error)}\n${output}`, { cause: error })
  }
  return {
    url: `${endpoint.replace('//', `//${encodeURIComponent(USER)}:${SECRET}@`)}/${BUCKET}`,
    close,
  }
}

async function createBucket(endpoint: string): Promise<void> {
  const client = new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: USER, secretAccessKey: SECRET },
    requestChecksumCalculation: 'WHEN_REQUIRED',
  })
  await client.send(new CreateBucketCommand({ Bucket: BUCKET })).finally(() => client.destroy())
}

async function listening(port: number): Promise<void> {
  const end = Date.now() + START_MS
  for (;;) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(socket.destroy() !== null))
      socket.once('error', () => resolve(false))
    })
    if (open) return
    if (Date.now() > end) throw new Error(`nobody listens on ${port}`)
    await sleep(100)
  }
}

async function makeRing(folder: string, name: string, port: number): Promise<void> {
  const file = join(folder, `${name}.builder`)
  await run('swift-ring-builder', [file, 'create', '4', '1', '0'])
  await run('swift-ring-builder', [file, 'add', `r1z1-127.0.0.1:${port}/d1`, '1'])
  await run('swift-ring-builder', [file, 'rebalance'])
}

const common = (folder: string, port: number | undefined) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${userInfo().username}
swift_dir = ${folder}
devices = ${join(folder, 'devices')}
mount_check = false
fallocate_reserve = 0
`

const conf = (folder: string, name: string, ports: Readonly<Record<string, number>>) => `${common(
  folder,
  ports[name],
)}
[pipeline:main]
pipeline = ${name}-server
[app:${name}-server]
use = egg:swift#${name}
`

const proxyConf = (folder: string, ports: Readonly<Record<string, number>>) => `${common(
  folder,
  ports['proxy'],
)}
[pipeline:main]
pipeline = catch_errors gatekeeper cache listing_formats bulk s3api tempauth copy slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
# The authentication insists on a cache, but works without a server behind it.
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:bulk]
use = egg:swift#bulk
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = ${SECRET} .admin
[filter:copy]
use = egg:swift#copy
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
`
