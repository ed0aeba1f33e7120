import { spawnSync } from 'node:child_process'
import { chownSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { EmbeddedFailure } from '#server/platform/db/embedded/failure.ts'

/** How to run PostgreSQL, which refuses to run as root. */
export interface Runner {
  /** The user of the child process; absent if it is ours. */
  ids?: { uid: number; gid: number }
  /** Precedes the command, to run it in a namespace in which root is an ordinary user. */
  prefix: string[]
  /** The data directory is below a closed one, so the server is started inside it before the user changes. */
  isInside?: boolean
}

/** A process can reach the directory in which it was started by this path, even below closed parents. */
const WORKING_DIRECTORY = '/proc/self/cwd'

/** In ms, for a command that takes a moment, but may ask a directory service about users. */
const TRIAL_MS = 10_000

const PLAIN: Runner = { prefix: [] }
const UNSHARED: Runner = { prefix: ['unshare', '--user'] }

/** `existing` is the cluster if there is one already. */
export function chooseRunner(dataDir: string, existing: string | undefined): Runner {
  if (process.getuid?.() !== 0) return asOurselves(existing)
  const owner = statSync(existing ?? dataDir)
  for (const ids of candidates(existing, owner.uid, owner.gid)) {
    if (mayRun({ ids, prefix: [] }, dataDir)) return { ids, prefix: [] }
  }
  if (canUnshare() && (!existing || owner.uid === 0)) return UNSHARED
  for (const ids of candidates(existing, owner.uid, owner.gid)) {
    if (mayRun({ ids, prefix: [], isInside: true }, '/')) return { ids, prefix: [], isInside: true }
  }
  throw new EmbeddedFailure(
    'PostgreSQL refuses to run as root, and no other user can be used here: ' +
      `changing the user is not allowed, or ${dataDir} is closed to other users. ` +
      'Start as an ordinary user, set DATA_DIR to a directory outside closed homes ' +
      '(DATA_DIR=/var/lib/knowledge-bazaar), or set DATABASE_URL to a PostgreSQL server.',
  )
}

function asOurselves(existing: string | undefined): Runner {
  const uid = process.getuid?.()
  const owner = existing === undefined ? uid : statSync(existing).uid
  if (owner !== uid) {
    throw new EmbeddedFailure(
      `The database in ${existing} belongs to user ${owner}, and we run as user ${uid}. ` +
        'Start as that user or as root, or give the directory to this user (chown -R).',
    )
  }
  try {
    userInfo()
  } catch {
    throw new EmbeddedFailure(
      `User ${uid} has no name on this machine, and PostgreSQL needs one. ` +
        'Start as a user with a name, or set DATABASE_URL to a PostgreSQL server.',
    )
  }
  return PLAIN
}

function* candidates(existing: string | undefined, uid: number, gid: number) {
  if (uid !== 0) yield { uid, gid }
  if (existing) return
  for (const name of ['postgres', 'nobody']) {
    const ids = idsOf(name)
    if (ids) yield ids
  }
}

function idsOf(name: string): { uid: number; gid: number } | undefined {
  const ask = (flag: string) => {
    const { status, stdout } = spawnSync('id', [flag, name], {
      encoding: 'utf8',
      timeout: TRIAL_MS,
    })
    return status === 0 ? Number(stdout) : Number.NaN
  }
  const uid = ask('-u')
  const gid = ask('-g')
  return Number.isInteger(uid) && Number.isInteger(gid) && uid !== 0 ? { uid, gid } : undefined
}

/** Returns the path by which the runner's programs find the directory, and their working directory. */
export function pathFor(runner: Runner, directory: string): { name: string; cwd: string } {
  return runner.isInside
    ? { name: WORKING_DIRECTORY, cwd: directory }
    : { name: directory, cwd: '/' }
}

/**
 * Tests by running a command whether this runner can reach the path, and whether we may run commands as it at all.
 */
export function mayRun(runner: Runner, path: string): boolean {
  const test = ['sh', '-c', 'test -x "$1"', 'sh', path]
  const [command = '', ...args] = runner.prefix.concat(test)
  return (
    spawnSync(command, args, { ...runner.ids, cwd: '/', stdio: 'ignore', timeout: TRIAL_MS })
      .status === 0
  )
}

function canUnshare(): boolean {
  const { status, stdout } = spawnSync('unshare', ['--user', 'id', '-u'], {
    encoding: 'utf8',
    timeout: TRIAL_MS,
  })
  return status === 0 && stdout.trim() !== '0'
}

/** Makes the user who runs the server the owner of a directory that we created. */
export function chownTo(runner: Runner, path: string): void {
  if (runner.ids) chownSync(path, runner.ids.uid, runner.ids.gid)
}
