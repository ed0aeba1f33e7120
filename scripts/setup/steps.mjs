// What `npm run setup` makes, each step with a check whether it is right already.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { root } from '#scripts/commands.mjs'
import { Failure } from '#scripts/status.mjs'
import { CURRENT, DATA, installThis, runAsUser, USER, versionOf } from './program.mjs'
import { mergeSettings, readSettings, SETTINGS } from './settings.mjs'
import { isInstalled, withCaddy, withNginx } from './proxies.mjs'

/** @typedef {import('./machine.mjs').Machine} Machine @typedef {import('./machine.mjs').Step} Step */
/**
 * @typedef {{ domain: string, smtp: string, from: string, username: string, email: string, proxy: 'nginx' | 'caddy',
 *   certificate: import('./sites.mjs').Certificate | null }} Answers
 */

const UNITS = '/etc/systemd/system'
const COMMAND = '/usr/local/bin/bazaar'
const ADDRESS = 'http://127.0.0.1:3000'
/** In ms. The first start creates the database. */
const READY_MS = 120_000

/** Runs a command of the product with the settings of the server and as its user. */
const COMMAND_TEXT = `#!/bin/sh
# Written by npm run setup: runs npm run … with the settings of the server and as its user.
set -a
NODE_ENV=production DATA_DIR=${DATA} TMPDIR=${DATA}/tmp HOME=${DATA}
. ${SETTINGS}
cd ${CURRENT} && exec runuser -u ${USER} -- npm run --silent "$@"
`

/** Returns the files that systemd reads. */
function listUnits() {
  const unit = (/** @type {string} */ name) =>
    readFileSync(join(root, 'deploy', 'systemd', name), 'utf8')
  return {
    [`${UNITS}/knowledge-bazaar.socket`]: unit('knowledge-bazaar.socket'),
    [`${UNITS}/knowledge-bazaar.service`]: unit('knowledge-bazaar.service'),
  }
}

/**
 * @param {Machine} machine @param {Answers} answers
 * @returns {{ steps: Step[], changes: { settings: boolean } }}
 */
export function listSteps(machine, answers) {
  const changes = { settings: false, program: false }
  /** @type {Step[]} */
  const steps = [
    ...installing(machine, answers, changes),
    ...serving(machine, changes),
    ...(answers.proxy === 'nginx' ? withNginx(machine, answers) : withCaddy(machine, answers)),
  ]
  return { steps, changes }
}

/** @param {Machine} machine @param {Answers} answers @param {{ settings: boolean, program: boolean }} changes @returns {Step[]} */
function installing(machine, answers, changes) {
  const { proxy, certificate, domain, smtp, from, email } = answers
  const packages = [
    // A library of Node that a small Debian lacks.
    'libatomic1',
    ...(proxy === 'caddy' ? ['caddy'] : ['nginx', ...(certificate === null ? ['certbot'] : [])]),
  ]
  const wanted = {
    PUBLIC_URL: `https://${domain}`,
    TRUST_PROXY: '1',
    DEMO: '0',
    // The socket stays open while the server is replaced, so nobody needs time to look elsewhere.
    DRAIN_SECONDS: '0',
    MAIL_FROM: from,
    OWNER_EMAIL: email,
    ...(smtp !== 'none' && { SMTP_URL: smtp }),
  }
  const units = listUnits()
  return [
    {
      name: `packages of Debian: ${packages.join(', ')}`,
      isRight: () => packages.every((name) => isInstalled(machine, name)),
      make: () => {
        const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
        machine.run('apt-get', ['update', '-q'], { env })
        machine.run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], {
          env,
        })
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
      name: `program in ${CURRENT}`,
      // A newer version that npm run update has installed stays.
      isRight: () => machine.isThere(CURRENT),
      make: () => {
        if (machine.isReal) installThis(machine)
        machine.link(CURRENT, `releases/${versionOf(root)}`)
        changes.program = true
      },
    },
    {
      name: `settings in ${SETTINGS}`,
      isRight: () =>
        machine.isMode(SETTINGS, 0o600) &&
        mergeSettings(machine.read(SETTINGS), wanted) === machine.read(SETTINGS),
      make: () => {
        machine.write(SETTINGS, mergeSettings(machine.read(SETTINGS), wanted), 0o600)
        changes.settings = true
      },
    },
    {
      name: `command ${COMMAND}`,
      isRight: () => machine.read(COMMAND) === COMMAND_TEXT && machine.isMode(COMMAND, 0o755),
      make: () => machine.write(COMMAND, COMMAND_TEXT, 0o755),
    },
    {
      name: 'units of systemd',
      isRight: () => Object.entries(units).every(([path, text]) => machine.read(path) === text),
      make: () => {
        for (const [path, text] of Object.entries(units)) machine.write(path, text)
        machine.run('systemctl', ['daemon-reload'])
        machine.run('systemctl', ['enable', '--now', 'knowledge-bazaar.socket'])
        machine.run('systemctl', ['enable', 'knowledge-bazaar.service'])
        changes.settings = true
      },
    },
  ]
}

/** @param {Machine} machine @param {{ settings: boolean, program: boolean }} changes @returns {Step[]} */
function serving(machine, changes) {
  return [
    {
      name: `server at ${ADDRESS}`,
      isRight: async () => !changes.settings && !changes.program && (await isReady()),
      make: async () => {
        machine.run('systemctl', ['restart', 'knowledge-bazaar.service'])
        if (machine.isReal) await waitUntilReady()
      },
    },
  ]
}

async function isReady() {
  const answer = await fetch(`${ADDRESS}/readyz`, { signal: AbortSignal.timeout(5000) }).catch(
    () => null,
  )
  return answer?.ok === true
}

/** @throws {Failure} */
async function waitUntilReady() {
  for (const end = Date.now() + READY_MS; !(await isReady()); await pause(200))
    if (Date.now() > end)
      throw new Failure(
        'The server did not become ready. See: journalctl -u knowledge-bazaar -n 50',
      )
}

/**
 * Makes the first administrator, sends a test mail and runs the doctor. Returns what they said.
 * @param {Machine} machine @param {Answers} answers
 */
export function finish(machine, { username, email, smtp }) {
  const settings = readSettings(machine.read(SETTINGS))
  const folder = machine.pathOf(CURRENT)
  const say = (/** @type {string} */ text) => process.stdout.write(`${text}\n`)
  const attempt = (/** @type {string[]} */ words) => {
    try {
      say(runAsUser(machine, folder, words, settings))
    } catch (error) {
      // The server runs; what failed is printed, and can be repeated.
      const [, ...output] = (error instanceof Error ? error.message : String(error)).split('\n')
      say(output.join('\n'))
      process.exitCode = 1
    }
  }
  if (username !== '') {
    say(`\nThe first administrator, ${username}, sets a password within an hour at:`)
    attempt(['scripts/admin.ts', 'create', username, email])
  }
  if (smtp !== 'none') attempt(['scripts/admin.ts', 'test-mail', email])
  attempt(['scripts/doctor.ts'])
}

/** @param {string} path */
export function requireFile(path) {
  if (!existsSync(path)) throw new Failure(`There is no file ${path}.`)
  return path
}
