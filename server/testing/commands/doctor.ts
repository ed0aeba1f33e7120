import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Diagnosis {
  readonly code: number
  readonly text: string
  readonly ms: number
  /** The lines of a section, each with its symbol. */
  readonly of: (part: string) => string[]
  /** The sections that report a problem. */
  readonly wrong: string[]
}

/** Runs the script of `npm run doctor` with only these environment variables. */
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
