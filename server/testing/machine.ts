import { execFileSync } from 'node:child_process'
import { cpus, loadavg, totalmem } from 'node:os'

export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGb: number
  /** Load average of the last minute before the start. Above 0.3, other processes affected the measurement. */
  readonly load: number
  readonly node: string
  readonly commit: string
  readonly date: string
}

/** Returns what measurements depend on besides the code: CPU, memory, load, Node and commit. */
export function describeMachine(): Machine {
  const [first] = cpus()
  return {
    cpu: first?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    load: loadavg()[0] ?? 0,
    node: process.version,
    commit: describeCommit(),
    date: new Date().toISOString().slice(0, 16),
  }
}

/** Appends `+` if the working tree has changes. */
function describeCommit(): string {
  try {
    const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()
    const changed = git('status', '--porcelain', '--', 'contract', 'server', 'web')
    return `${git('rev-parse', '--short', 'HEAD')}${changed === '' ? '' : '+'}`
  } catch {
    return 'no-commit'
  }
}
