// Changes from one installed version to another, and back if the new one doesn't work.
import { rmSync } from 'node:fs'
import process from 'node:process'
import { Failure, step } from '#scripts/status.mjs'
import { CURRENT, DATA, installFiles, runAsUser, USER, versionOf } from './program.mjs'
import { mergeSettings, readSettings, SETTINGS } from './settings.mjs'
import { tryOut, waitFor } from './trial.mjs'

/** @typedef {import('./machine.mjs').Machine} Machine */

const ADDRESS = 'http://127.0.0.1:3000'
/** In ms. It has started once before, and requests must not wait longer than the proxy lets them. */
const REPLACE_MS = 45_000
const TRIAL = `${DATA}/trial`
const SERVICE = 'knowledge-bazaar.service'
const STAYS = 'The former version serves as before.'

/** @param {Machine} machine @param {string} files @returns {string} the folder of the installed version */
export function prepare(machine, files) {
  try {
    return installFiles(machine, files)
  } catch (error) {
    throw explain(error, 'The new version could not be installed.')
  }
}

/**
 * @param {Machine} machine
 * @param {{ former: string, next: string, port: number, address?: string, patienceMs?: number }} versions two folders, a port for trying out the
 *   new one, and where the server answers
 * @throws {Failure} with the reason, while the former version serves
 */
export async function changeOver(
  machine,
  { former, next, port, address = ADDRESS, patienceMs = REPLACE_MS },
) {
  const settings = readSettings(machine.read(SETTINGS))
  const wasWell = await step('Auditing', async () => isWell(machine, former, settings))
  try {
    machine.run('install', ['-d', '-o', USER, '-g', USER, '-m', '700', TRIAL])
    await step('Trying it out with an empty database', () =>
      tryOut(next, { port, dataDir: machine.pathOf(TRIAL) }),
    )
  } catch (error) {
    throw explain(error, 'The new version was not used.')
  } finally {
    rmSync(machine.pathOf(TRIAL), { recursive: true, force: true })
  }
  // Migrations are committed one by one, and the former version has to start on what one of them left.
  setNewerSchema(machine, 'accepted')
  try {
    const backup = { BACKUP_BEFORE_MIGRATION: '1', ...settings }
    await step('Migrating the database', async () =>
      runAsUser(machine, next, ['scripts/admin.ts', 'migrate'], backup),
    )
  } catch (error) {
    throw explain(error, 'The database could not be migrated.')
  }
  try {
    await step('Replacing the server', async () => replace(machine, next, address, patienceMs))
    if (wasWell && !(await step('Auditing', async () => isWell(machine, next, settings))))
      throw new Failure('The audit finds what is wrong, which it did not before: npm run audit.')
    setNewerSchema(machine, 'refused')
  } catch (error) {
    const log = findLog(machine)
    const failure = explain(error, `The new version did not work.${log}`)
    await step('Putting the former version back', async () =>
      replace(machine, former, address),
    ).catch((second) => {
      const why = second instanceof Error ? second.message : String(second)
      throw new Failure(
        `${failure.message.replace(STAYS, '')}The former version did not come back: ${why}`,
      )
    })
    throw failure
  }
}

/** @param {Machine} machine @param {'accepted' | 'refused'} value */
function setNewerSchema(machine, value) {
  const merged = mergeSettings(machine.read(SETTINGS), { NEWER_SCHEMA: value })
  machine.write(SETTINGS, merged, 0o600)
}

/** @param {Machine} machine @param {string} folder @param {string} address @param {number} [patienceMs] */
async function replace(machine, folder, address, patienceMs = REPLACE_MS) {
  machine.link(CURRENT, folder)
  machine.run('systemctl', ['restart', SERVICE])
  await waitFor(address, { version: versionOf(folder), patienceMs })
}

/** @param {Machine} machine @param {string} folder @param {Record<string, string>} settings */
function isWell(machine, folder, settings) {
  try {
    runAsUser(machine, folder, ['scripts/audit.ts'], settings)
    return true
  } catch {
    return false
  }
}

/** @param {Machine} machine @returns {string} the last lines of the service */
function findLog(machine) {
  try {
    return `\n${machine.run('journalctl', ['-u', SERVICE, '-n', '20', '--no-pager', '-o', 'cat'])}`
  } catch {
    return ''
  }
}

/** @param {unknown} error @param {string} what */
function explain(error, what) {
  const why = error instanceof Error ? error.message : String(error)
  process.exitCode = 1
  return new Failure(`${what} ${why}\n${STAYS}`)
}
