import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { isAlive } from '#scripts/lock.mjs'

const NODE = join('node_modules', '.bin', 'node')

function cluster(...words: readonly string[]): Promise<{ code: unknown; said: string }> {
  return new Promise((resolve) => {
    execFile(NODE, ['lab/cluster/start.ts', ...words], (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, said: `${stdout}${stderr}` }),
    )
  })
}

test('an invalid number of nodes is refused with a message', async () => {
  const { code, said } = await cluster('--nodes', 'many')
  expect(code).toBe(1)
  expect(said).toBe('--nodes is "many": it must be a whole number from 1 to 20.\n')
})

test('an unknown option is refused with the help', async () => {
  const { code, said } = await cluster('--node', '3')
  expect(code).toBe(1)
  expect(said).toContain("Unknown option '--node'")
  expect(said).toContain('--kill PART')
})

/** Starts a part that sleeps, as `startCluster` does, and prints its process id. */
const STARTS_ONE = `
import { startPart } from '#lab/cluster/part.ts'
import { startWatchdog } from '#lab/cluster/watchdog.ts'
const folder = process.argv[1]
startWatchdog(folder, null)
const plan = {
  name: 'sleeper', host: 'here', what: 'sleeps', address: 'none', againMs: 50,
  command: ['sleep', '1000'], isReady: async () => true,
}
const network = { kind: 'loopback', mark: 'kb0', hosts: { here: '127.86.0.10' } }
const watch = { say: (line) => console.log(line), changed: () => {}, isOver: () => false }
const part = await startPart({ folder, network, password: '' }, plan, watch)
console.log('runs as ' + part.pid)
setInterval(() => console.log('runs as ' + part.pid), 100)
`

test('a killed part is restarted, and everything ends when the command is killed (kill -9)', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kb-cluster-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const child = spawn(NODE, ['--input-type=module', '-e', STARTS_ONE, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const pids = new Set<number>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const pid = Number(/^runs as (\d+)$/.exec(line)?.[1])
    if (Number.isInteger(pid)) pids.add(pid)
  })
  await expect.poll(() => pids.size).toBe(1)
  const [first = 0] = pids
  process.kill(first, 'SIGKILL')
  await expect.poll(() => pids.size).toBe(2)
  const second = [...pids][1] ?? 0
  expect(readFileSync(`/proc/${second}/cmdline`, 'utf8')).toBe('sleep\x001000\x00')

  child.kill('SIGKILL')
  await once(child, 'exit')
  await expect.poll(() => existsSync(folder)).toBe(false)
  expect(isAlive(second)).toBe(false)
})
