/** Limits the CPU share of a process with a control group, to simulate a smaller machine. */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '#scripts/status.mjs'

const GROUPS = '/sys/fs/cgroup'
/** Short, so that a request only waits for ms when the share is used up. */
const PERIOD_US = 20_000

export interface Quota {
  /** Removes the limit. */
  release(): void
}

interface Version {
  /** The folder of the groups. */
  readonly root: string
  /** Files of a group and their contents. */
  readonly limit: (quotaUs: number) => readonly (readonly [string, string])[]
}

/** Returns version 1 or 2 of control groups, or null. */
function findVersion(): Version | null {
  if (existsSync(join(GROUPS, 'cpu', 'cpu.cfs_quota_us')))
    return {
      root: join(GROUPS, 'cpu'),
      limit: (quotaUs) => [
        ['cpu.cfs_period_us', `${PERIOD_US}`],
        ['cpu.cfs_quota_us', `${quotaUs}`],
      ],
    }
  const controllers = join(GROUPS, 'cgroup.subtree_control')
  if (!existsSync(controllers) || !/\bcpu\b/.test(readFileSync(controllers, 'utf8'))) return null
  return { root: GROUPS, limit: (quotaUs) => [['cpu.max', `${quotaUs} ${PERIOD_US}`]] }
}

/**
 * Limits a process to a number of cores (0.25 is a quarter). `name` is that of a new group.
 * @throws Failure without control groups, or the error of the file system if they are not permitted
 */
export function limitProcessor(name: string, pid: number, cores: number): Quota {
  const version = findVersion()
  if (version === null)
    throw new Failure(`A process can't be limited here: ${GROUPS} has no control groups for cpu.`)
  const group = join(version.root, name)
  mkdirSync(group, { recursive: true })
  try {
    for (const [file, text] of version.limit(Math.round(PERIOD_US * cores)))
      writeFileSync(join(group, file), text)
    writeFileSync(join(group, 'cgroup.procs'), `${pid}`)
  } catch (error) {
    rmdirSync(group)
    throw error
  }
  return {
    release: () => {
      try {
        writeFileSync(join(version.root, 'cgroup.procs'), `${pid}`)
      } catch {
        // The process has ended.
      }
      rmdirSync(group)
    },
  }
}
