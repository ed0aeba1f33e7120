// What `npm run setup` makes, each step with a check whether it is right already.
import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { basename, join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { root } from '#scripts/commands.mjs'
import { Failure, step } from '#scripts/status.mjs'
import { CURRENT, DATA, installThis, runAsUser, USER, versionOf } from './program.mjs'
import { mergeSettings, readSettings, SETTINGS } from './settings.mjs'
import { isInstalled, withCaddy, withNginx } from './proxies.mjs'

/** @typedef {import('./machine.mjs').Machine} Machine @typedef {import('./machine.mjs').Step} Step */
/**
 * @typedef {{ domain: string, smtp: string, from: string, owner: string, proxy: 'nginx' | 'caddy',
 *   administrator: { username: string, email: string } | null,
 *   certificate: import('./sites.mjs').Certificate | null }} Answers
 */

const UNITS = '/etc/systemd/system'
const SERVICE = 'knowledge-bazaar.service'
const SOCKET = 'knowledge-bazaar.socket'
const COMMAND = '/usr/local/bin/bazaar'
const PORT = 3000
const ADDRESS = `http://127.0.0.1:${PORT}`
/** In ms. The first start creates the database. */
const READY_MS = 120_000
const CERTIFICATE_MS = 30_000

/** Runs a command of the product with the settings of the server and as its user. */
const COMMAND_TEXT = `#!/bin/sh
# Written by npm run setup: runs npm run … with the settings of the server and as its user.
set -a
NODE_ENV=production DATA_DIR=${DATA} TMPDIR=${DATA}/tmp HOME=${DATA}
. ${SETTINGS}
cd ${CURRENT} && exec runuser -u ${USER} -- npm run --silent "$@"
`

/** The files that systemd reads. */
const units = Object.fromEntries(
  [SOCKET, SERVICE].map((name) => [
    `${UNITS}/${name}`,
    readFileSync(join(root, 'deploy', 'systemd', name), 'utf8'),
  ]),
)

/** @param {Machine} machine @param {Answers} answers @returns {Step[]} */
export function listSteps(machine, answers) {
  return [
    ...installing(machine, answers),
    ...serving(machine),
    ...(answers.proxy === 'nginx' ? withNginx(machine, answers) : withCaddy(machine, answers)),
  ]
}

/** @param {Machine} machine @param {Answers} answers @returns {Step[]} */
function installing(machine, { proxy, certificate, domain, smtp, from, owner }) {
  const packages = [
    // A library of Node that a small Debian lacks.
    'libatomic1',
    ...(proxy === 'caddy' ? ['caddy'] : ['nginx', ...(certificate === null ? ['certbot'] : [])]),
  ]
  const there = readSettings(machine.read(SETTINGS))
  const wanted = {
    TRUST_PROXY: '1',
    DEMO: '0',
    // The socket stays open while the server is replaced, so nobody needs time to look elsewhere.
    DRAIN_SECONDS: '0',
    // What the operator has changed stays, unless an answer says otherwise.
    ...there,
    ...(hostOf(there['PUBLIC_URL']) !== domain && { PUBLIC_URL: `https://${domain}` }),
    MAIL_FROM: from,
    OWNER_EMAIL: owner,
    ...((smtp !== 'none' || there['SMTP_URL']) && { SMTP_URL: smtp === 'none' ? '' : smtp }),
  }
  return [
    {
      name: `packages of Debian: ${packages.join(', ')}`,
      isRight: () => packages.every((name) => isInstalled(machine, name)),
      make: () => {
        const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
        // A fresh machine may be busy with its own upgrades.
        const words = ['-q', '-o', 'DPkg::Lock::Timeout=300']
        machine.run('apt-get', [...words, 'update'], { env })
        machine.run(
          'apt-get',
          [...words, 'install', '-y', '--no-install-recommends', ...packages],
          {
            env,
          },
        )
      },
    },
    {
      name: `user ${USER}`,
      isRight: () => machine.read('/etc/passwd').includes(`\n${USER}:`),
      make: () =>
        machine.run('useradd', [
          '--system',
          '--user-group',
          '--home-dir',
          DATA,
          '--shell',
          '/usr/sbin/nologin',
          USER,
        ]),
    },
    {
      name: `program in ${CURRENT}${describeVersion(machine)}`,
      // A newer version that npm run update has installed stays.
      isRight: () => machine.isThere(machine.isReal ? `${CURRENT}/package.json` : CURRENT),
      make: async () => {
        const folder = machine.isReal ? await installThis(machine) : versionOf(root)
        machine.link(CURRENT, `releases/${basename(folder)}`)
      },
    },
    {
      name: `settings in ${SETTINGS}`,
      isRight: () =>
        machine.modeOf(SETTINGS) === 0o600 &&
        mergeSettings(machine.read(SETTINGS), wanted) === machine.read(SETTINGS),
      make: () => machine.write(SETTINGS, mergeSettings(machine.read(SETTINGS), wanted), 0o600),
    },
    {
      name: `command ${COMMAND}`,
      isRight: () => machine.read(COMMAND) === COMMAND_TEXT && machine.modeOf(COMMAND) === 0o755,
      make: () => machine.write(COMMAND, COMMAND_TEXT, 0o755),
    },
  ]
}

/** @param {string | undefined} url */
const hostOf = (url = '') => /^https:\/\/([^/:]+)/.exec(url)?.[1]

/** @param {Machine} machine @returns {string} a note if another version than this one is installed */
function describeVersion(machine) {
  if (!machine.isThere(`${CURRENT}/package.json`)) return ''
  const installed = versionOf(machine.pathOf(CURRENT))
  return installed === versionOf(root) ? '' : ` (${installed}; npm run update installs another one)`
}

/** @param {Machine} machine @returns {Step[]} */
function serving(machine) {
  const isOn = () =>
    [SOCKET, SERVICE].every((unit) =>
      machine.succeeds('systemctl', ['is-enabled', '--quiet', unit]),
    ) && machine.succeeds('systemctl', ['is-active', '--quiet', SOCKET])
  return [
    {
      name: 'units of systemd',
      isRight: () =>
        Object.entries(units).every(([path, text]) => machine.read(path) === text) && isOn(),
      make: async () => {
        for (const [path, text] of Object.entries(units)) machine.write(path, text)
        machine.run('systemctl', ['daemon-reload'])
        if (!machine.succeeds('systemctl', ['is-active', '--quiet', SOCKET])) {
          // A server without the socket would hold the port.
          machine.run('systemctl', ['stop', SERVICE])
          if (machine.isReal) await requireFreePort()
        }
        machine.run('systemctl', ['enable', '--now', SOCKET])
        machine.run('systemctl', ['enable', SERVICE])
      },
    },
    {
      name: `server at ${ADDRESS}`,
      isRight: async () =>
        machine.isReal && isUpToDate(machine) && (await answers(`${ADDRESS}/readyz`)),
      make: async () => {
        // A run may have been killed before this.
        machine.run('systemctl', ['daemon-reload'])
        machine.run('systemctl', ['restart', SERVICE])
        if (machine.isReal) await waitUntilAnswered(`${ADDRESS}/readyz`, READY_MS)
      },
    },
  ]
}

/** Whether the server has started after everything it reads was written. @param {Machine} machine */
function isUpToDate(machine) {
  const words = ['show', '--property=ActiveEnterTimestamp', '--timestamp=unix', SERVICE]
  const started = Number(/@(\d+)/.exec(machine.run('systemctl', words))?.[1] ?? 0)
  return [SETTINGS, CURRENT, ...Object.keys(units)].every(
    (path) => Math.floor(lstatSync(machine.pathOf(path)).mtimeMs / 1000) <= started,
  )
}

/** @returns {Promise<void>} */
function requireFreePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    const why = `Another program uses port ${PORT} of this machine. Stop it first: ss -ltnp names it.`
    server.once('error', () => reject(new Failure(why)))
    server.listen(PORT, '127.0.0.1', () => server.close(() => resolve()))
  })
}

/** @param {string} url */
async function answers(url) {
  const answer = await fetch(url, { signal: AbortSignal.timeout(5000) }).catch(() => null)
  return answer?.ok === true
}

/** @param {string} url @param {number} patienceMs @throws {Failure} */
async function waitUntilAnswered(url, patienceMs) {
  for (const end = Date.now() + patienceMs; !(await answers(url)); await pause(200))
    if (Date.now() > end)
      throw new Failure(`${url} does not answer. See: journalctl -u knowledge-bazaar -n 50`)
}

/**
 * Whether the site has an administrator. If that can't be found out, as before the first start, it has none.
 * @param {Machine} machine @param {Record<string, string>} settings
 */
export function findAdministrator(machine, settings) {
  if (!machine.isReal || settings['OWNER_EMAIL'] === undefined)
    return settings['OWNER_EMAIL'] !== undefined
  // The operator may have removed the program to have another one installed.
  if (!machine.isThere(`${CURRENT}/package.json`)) return machine.isThere(`${DATA}/postgres`)
  try {
    runAsUser(machine, machine.pathOf(CURRENT), ['scripts/admin.ts', 'list'], settings)
    return true
  } catch {
    return false
  }
}

/**
 * Makes the first administrator, sends a test mail and runs the doctor, and prints what they say.
 * @param {Machine} machine @param {Answers} answers
 */
export async function finish(machine, { administrator, owner, smtp, domain, proxy, certificate }) {
  const settings = readSettings(machine.read(SETTINGS))
  const folder = machine.pathOf(CURRENT)
  const say = (/** @type {string} */ text) => process.stdout.write(`${text}\n`)
  const attempt = (/** @type {string[]} */ words) => {
    try {
      say(runAsUser(machine, folder, words, settings))
      return true
    } catch (error) {
      // The server runs; what failed is printed, and can be repeated.
      const [, ...output] = (error instanceof Error ? error.message : String(error)).split('\n')
      say(output.join('\n'))
      process.exitCode = 1
      return false
    }
  }
  if (administrator !== null) {
    const { username, email } = administrator
    say(`\nThe administrator ${username}:`)
    if (attempt(['scripts/admin.ts', 'create', username, email]))
      say(
        `A link is for setting a password, within an hour; bazaar admin -- reset ${username} prints another one.`,
      )
  }
  if (smtp !== 'none' || settings['SMTP_URL_FILE'] !== undefined)
    attempt(['scripts/admin.ts', 'test-mail', owner])
  // Caddy gets its certificate after it has started. If it gets none, the doctor says so.
  if (proxy === 'caddy' && certificate === null)
    await step('Waiting for the certificate', () =>
      waitUntilAnswered(`https://${domain}/healthz`, CERTIFICATE_MS),
    ).catch(() => undefined)
  attempt(['scripts/doctor.ts'])
}

/** @param {string} path */
export function requireFile(path) {
  if (!existsSync(path)) throw new Failure(`There is no file ${path}.`)
  return path
}
