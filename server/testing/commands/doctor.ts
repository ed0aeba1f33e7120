/** `npm run doctor`, run as an operator types it. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** What it said. */
export interface Diagnosis {
  readonly code: number
  readonly text: string
  readonly ms: number
  /** The lines of a part, each with its sign. */
  readonly of: (part: string) => string[]
  /** The parts of which something is wrong. */
  readonly wrong: string[]
}

/** Runs it in this environment alone. */
export async function examine(environment: Record<string, string>): Promise<Diagnosis> {
  const began = performance.now()
  const { code, stdout, stderr } = await run(process.execPath, ['scripts/doctor.ts'], {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    timeout: 30_000,
  }).then(
    (output) => ({ code: 0, ...output }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  )
  const lines = [...stdout.matchAll(/^([✓!✗]) (\S+) +(.*)$/gm)]
  return {
    code,
    text: stdout + stderr,
    ms: performance.now() - began,
    of: (part) => lines.filter((line) => line[2] === part).map((line) => `${line[1]} ${line[3]}`),
    wrong: lines.filter((line) => line[1] === '✗').map((line) => line[2] ?? ''),
  }
}
