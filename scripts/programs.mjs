// Finds programs that tests need, or installs their Debian packages.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import process from 'node:process'
import { quietly } from './commands.mjs'
import { Failure, step } from './status.mjs'

const BROWSERS = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** @returns {Promise<string>} the path of a complete browser */
export async function findBrowser() {
  const given = process.env.CHROMIUM
  if (given) {
    if (works(given)) return given
    throw new Failure(`CHROMIUM=${given} is no browser that runs here.`)
  }
  return find(BROWSERS, {
    debian: 'chromium',
    doing: 'Installing Chromium for the tests in a browser',
    missing:
      'The tests in a browser need Chromium: install it (Debian: sudo apt-get install chromium) ' +
      'or name one in CHROMIUM, and run npm test again.',
  })
}

/**
 * Chromium without its windows renders the same pages with half the CPU time (docs/decisions/0020). Skipped if
 * CHROMIUM is set.
 * @returns {Promise<string | undefined>} its path, if it is available
 */
export async function findHeadlessShell() {
  if (process.env.CHROMIUM) return undefined
  const name = 'chromium-headless-shell'
  const found = locate([name])
  if (found) return found
  // Older Debian releases lack this package. Tests then use the complete browser.
  await install(name, 'Installing the headless shell of Chromium for the tests in a browser').catch(
    () => {},
  )
  return locate([name])
}

/**
 * Ensures fonts with the metrics that pages use before their own fonts load: Arial and Times New Roman, or their
 * Linux substitutes. Without them, tests of layout shifts report how much moved.
 */
export async function findTypefaces() {
  if (process.platform !== 'linux' || hasTypefaces()) return
  await install('fonts-liberation', 'Installing typefaces for the tests in a browser')
}

function hasTypefaces() {
  const { stdout } = spawnSync('fc-match', ['--format=%{family}', 'Arial'], { encoding: 'utf8' })
  return /Arial|Liberation/.test(stdout ?? '') || existsSync('/usr/share/fonts/truetype/liberation')
}

/** @returns {Promise<string>} the path of redis-server */
export function findRedis() {
  return find(['redis-server'], {
    debian: 'redis-server',
    doing: 'Installing Redis for the tests of several nodes',
    missing:
      'The tests of several nodes need redis-server: install it ' +
      '(Debian: sudo apt-get install redis-server; macOS: brew install redis), and run npm test again.',
  })
}

/** @returns {Promise<string>} the path of nginx */
export function findNginx() {
  return find(['nginx', '/usr/sbin/nginx'], {
    debian: 'nginx-light',
    doing: 'Installing nginx for the restarts behind a balancer',
    missing:
      'The tests of restarts behind a balancer need nginx: install it ' +
      '(Debian: sudo apt-get install nginx-light; macOS: brew install nginx), and run npm test again.',
  })
}

/** @returns {Promise<string>} the path of haproxy */
export function findHaproxy() {
  return find(['haproxy', '/usr/sbin/haproxy'], {
    debian: 'haproxy',
    doing: 'Installing HAProxy for the test of its settings',
    missing:
      'The test of the settings for HAProxy needs it: install it ' +
      '(Debian: sudo apt-get install haproxy; macOS: brew install haproxy), and run npm test again.',
  })
}

/**
 * @param {string[]} places
 * @param {{debian: string, doing: string, missing: string}} words
 */
async function find(places, { debian, doing, missing }) {
  const found = locate(places)
  if (found) return found
  await install(debian, doing)
  const installed = locate(places)
  if (installed) return installed
  throw new Failure(missing)
}

/**
 * Installs a package if that is possible without asking: as root on Debian.
 * @param {string} name
 * @param {string} doing
 */
async function install(name, doing) {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return
  await step(doing, async () => {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    await quietly('apt-update', 'apt-get', ['update'], { env })
    const args = ['install', '-y', '--no-install-recommends', name]
    await quietly('apt-install', 'apt-get', args, { env })
  })
}

/** @param {string[]} places */
function locate(places) {
  return places.map(which).find((path) => path && works(path))
}

/** @param {string} name */
function which(name) {
  if (name.startsWith('/')) return existsSync(name) ? name : undefined
  const { stdout } = spawnSync('sh', ['-c', 'command -v "$1"', 'sh', name], { encoding: 'utf8' })
  return stdout.trim() || undefined
}

/** @param {string} path */
function works(path) {
  // These programs only know the short option.
  const word = /(?:nginx|haproxy)$/.test(path) ? '-v' : '--version'
  return spawnSync(path, [word], { stdio: 'ignore' }).status === 0
}
