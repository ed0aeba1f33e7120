import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'

/** Runs `code` in a process that starts like ours and would otherwise run for ten seconds. */
async function runWith(code: string): Promise<{ code: number | null; output: string }> {
  const module = import.meta.resolve('#server/process.ts')
  const script = `
    import { drainWhenSignalled, runProcess } from ${JSON.stringify(module)}
    await runProcess(async (_config, log) => {
      const stops = [async () => console.log('all is stopped')]
      drainWhenSignalled({ database: null, secrets: [], stops }, log, { drainSeconds: 0, beginLeaving() {} })
      setTimeout(() => process.exit(0), 10_000)
      ${code}
    })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, LOG_LEVEL: 'error', LOG_FORMAT: 'json' },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => (output += String(bytes)))
  await once(child, 'close')
  return { code: child.exitCode, output }
}

test('an exception that nobody caught is logged, and the process stops all and ends with 1', async () => {
  const { code, output } = await runWith(`setTimeout(() => { throw new Error('out of the blue') })`)
  expect(output).toContain('out of the blue')
  expect(output).toContain('"level":60')
  expect(output).toContain('all is stopped')
  expect(code).toBe(1)
})

test('an unhandled rejection is logged, and the process continues', async () => {
  const { code, output } = await runWith(`
    void Promise.reject(new Error('nobody listens'))
    setTimeout(() => { console.log('still here'); process.kill(process.pid, 'SIGTERM') }, 200)`)
  expect(output).toContain('nobody listens')
  expect(output).toContain('still here')
  expect(code).toBe(0)
})
