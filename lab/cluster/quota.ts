/** Bounds how much of the processor one process may take: a control group of Linux stands for a smaller machine. */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '#scripts/status.mjs'

const GROUPS = '/sys/fs/cgroup'
/** Short, so that a request that finds the share used up waits for some milliseconds only. */
const PERIOD_US = 20_000

export interface Quota {
  /** The process may take what it likes again. */
  release(): void
}

interface Version {
  /** Where a group is a folder. */
  readonly root: string
  /** Files of a group, and what they say. */
  readonly limit: (quotaUs: number) => readonly (readonly [string, string])[]
}

/** The older and the newer way; null where neither is at hand. */
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
 * Gives a process, with all its threads, no more than `cores` of a processor core from now on (0.25: a quarter).
 * `name` is the group's, unused so far.
 * @throws Failure where control groups are not at hand; what the file system throws where they are not permitted
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
        // It has ended meanwhile.
      }
      rmdirSync(group)
    },
  }
}
