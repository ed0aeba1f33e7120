// npm test: installs and builds what is missing, then runs the checks, the product's tests and the browser tests.
// npm run test:more: runs slow tests and those of packages and the lab.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import process from 'node:process'
import { stripVTControlCharacters } from 'node:util'
import { ensureBuilt } from './build.mjs'
import { CHECKS } from './checks.mjs'
import { openly, root, runScript } from './commands.mjs'
import { ensureInstalled } from './install.mjs'
import {
  findBrowser,
  findHeadlessShell,
  findHaproxy,
  findNginx,
  findRedis,
  findTypefaces,
} from './programs.mjs'
import { Failure, run } from './status.mjs'

const HELP = `npm test runs type check, lint, format check, dead code, the product's tests and the
browser tests, and ends with the line "N passed, N failed". npm run test:more runs the tests of
the packages and the laboratory, long experiments (*.slow.test.ts), and the crawl of every page
in every language and theme.

  --more                    the tests of npm run test:more
  --only check|server|e2e   one part
  -- <words>                given to the test runner of that part: file names, --ui, …
  CHROMIUM=/path            the browser to use
`
const PARTS = ['check', 'server', 'e2e']
/** The projects of vitest.config.ts that each command runs. */
const SERVER_PROJECTS = { product: ['product', 'architecture'], more: ['more'] }

/** Settings of a running product, which tests must not inherit. */
const SETTINGS =
  /^(PORT|HOST|PUBLIC_URL|TRUST_PROXY|CORS_ORIGINS|DATA_DIR|DATABASE_\w+|REDIS_URL|S3_URL|NODE_URL|AUTH_SECRETS|ACCESS_TOKEN_MINUTES|SMTP_URL|MAIL_FROM|OWNER_EMAIL|REPORT_ALIASES|SITE_\w+|SOCIAL_URL|AI_\w+|VIDEO_CHECK_URL|DEMO|WELCOME_POINTS|DAILY_REWARD_LIMIT|DRAIN_SECONDS|RATE_LIMITS|METRICS_PORT|LOG_LEVEL|LOG_FORMAT|BACKUP\w*|NODE_ENV|NODE_OPTIONS|PG\w+)$/

const total = { passed: 0, failed: 0 }
/**
 * Failed tests, printed again at the end, because the output of a long run scrolls away.
 * @type {string[]}
 */
const failures = []

await run(async () => {
  const { parts, words, lane } = readArguments(process.argv.slice(2))
  if (parts.length === 0) return
  const node = await ensureInstalled()
  // Checked first, so that a missing browser is reported before minutes of work.
  const browser = parts.includes('e2e') && hasJourneys() ? await findBrowser() : undefined
  const shell = browser ? ((await findHeadlessShell()) ?? browser) : undefined
  if (browser) await findTypefaces()
  const redis = parts.includes('server') ? await findRedis() : undefined
  const nginx = parts.includes('server') ? await findNginx() : undefined
  const haproxy = parts.includes('server') ? await findHaproxy() : undefined
  const env = testEnvironment(node, { shell, browser }, [redis, nginx, haproxy])
  const reports = mkdtempSync(join(tmpdir(), 'bazaar-test-'))
  try {
    if (parts.includes('check')) await check(env)
    if (existsSync(join(root, 'web', 'entry.client.tsx'))) await ensureBuilt(node)
    if (parts.includes('server')) await testServer(env, join(reports, 'server.json'), lane, words)
    if (browser) await testJourneys(env, join(reports, 'e2e.json'), lane, words)
  } finally {
    rmSync(reports, { recursive: true, force: true })
  }
  if (failures.length > 0) process.stdout.write(`\nFailed:\n${failures.join('\n')}\n`)
  process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`)
  process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0
})

/**
 * @param {string[]} given
 * @returns {{parts: string[], words: string[], lane: 'product' | 'more'}}
 */
function readArguments(given) {
  const lane = given.includes('--more') ? 'more' : 'product'
  const args = given.filter((word) => word !== '--more')
  if (args.includes('--help')) {
    process.stdout.write(HELP)
    return { parts: [], words: [], lane }
  }
  const at = args.indexOf('--only')
  if (at === -1) return { parts: lane === 'more' ? ['server', 'e2e'] : PARTS, words: [], lane }
  const only = args[at + 1] ?? ''
  if (!PARTS.includes(only)) throw new Failure(HELP)
  return { parts: [only], words: args.filter((_, i) => i !== at && i !== at + 1), lane }
}

function hasJourneys() {
  const folder = join(root, 'e2e')
  if (!existsSync(folder)) return false
  return readdirSync(folder, { recursive: true }).some((name) => String(name).endsWith('.test.ts'))
}

/**
 * @param {string} node
 * @param {{shell: string | undefined, browser: string | undefined}} browsers
 * @param {(string | undefined)[]} programs
 */
function testEnvironment(node, { shell, browser }, programs) {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !SETTINGS.test(name)),
  )
  const bin = join(root, 'node_modules', '.bin')
  const folders = programs.map((program) => program && dirname(program))
  const path = [dirname(node), bin, ...folders, process.env.PATH]
  env.PATH = path.filter(Boolean).join(':')
  // Shares compiled code among the many processes that tests start.
  env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'compiled')
  if (shell) env.CHROMIUM = shell
  // For features outside the headless shell, such as user preferences.
  if (browser) env.WHOLE_CHROMIUM = browser
  return env
}

/** @param {NodeJS.ProcessEnv} env */
async function check(env) {
  await Promise.all(
    CHECKS.map(async ([name, script]) => {
      const { isGood, output } = await runScript(script, env)
      process.stdout.write(`${isGood ? '✓' : '✗'} ${name}\n`)
      if (!isGood) {
        process.stdout.write(`${output.trim()}\n`)
        failures.push(`✗ ${name}`)
      }
      total[isGood ? 'passed' : 'failed'] += 1
    }),
  )
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string} report
 * @param {'product' | 'more'} lane
 * @param {string[]} words
 */
async function testServer(env, report, lane, words) {
  process.stdout.write('\nServer\n')
  const projects = SERVER_PROJECTS[lane].map((project) => `--project=${project}`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const args = ['run', ...projects, ...reporters]
  const code = await openly('vitest', [...args, ...words], { env })
  const result = readReport(report)
  const broken = (result?.testResults ?? []).filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  )
  const failed = (result?.numFailedTests ?? 0) + broken.length
  for (const { name, message, assertionResults } of result?.testResults ?? []) {
    const file = relative(root, name)
    if (broken.some((one) => one.name === name)) failures.push(nameFailure(file, '', message))
    for (const test of assertionResults) {
      if (test.status !== 'failed') continue
      failures.push(nameFailure(file, test.fullName, test.failureMessages?.[0]))
    }
  }
  add('server tests', result?.numPassedTests ?? 0, failed, code)
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string} report
 * @param {'product' | 'more'} lane
 * @param {string[]} words
 */
async function testJourneys(env, report, lane, words) {
  process.stdout.write('\nJourneys in a browser\n')
  const args = ['test', `--project=${lane}`, '--reporter=line,json', ...words]
  const code = await openly('playwright', args, {
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  })
  const result = readReport(report)
  const { expected = 0, flaky = 0, unexpected = 0 } = result?.stats ?? {}
  for (const suite of result?.suites ?? []) nameFailedJourneys(suite)
  for (const { message } of result?.errors ?? []) failures.push(nameFailure('e2e', '', message))
  add('journeys', expected + flaky, unexpected + (result?.errors?.length ?? 0), code)
}

/**
 * Playwright's report is nested: a file's suite contains the suites of its groups with their tests.
 * @param {any} suite
 */
function nameFailedJourneys(suite) {
  for (const inner of suite.suites ?? []) nameFailedJourneys(inner)
  for (const { ok, file, line, title, tests } of suite.specs ?? []) {
    if (ok) continue
    const last = tests.at(-1)?.results.at(-1)
    failures.push(nameFailure(`e2e/${file}:${line}`, title, last?.error?.message))
  }
}

/**
 * Prints a failed test in two lines: its place and title, then the beginning of its message.
 * @param {string} place
 * @param {string} title
 * @param {string | undefined} message
 */
function nameFailure(place, title, message) {
  const words = stripVTControlCharacters(message ?? '').trim()
  const beginning = words.split('\n').slice(0, 3).join(' ').slice(0, 400)
  return `✗ ${place}${title ? ` › ${title}` : ''}\n    ${beginning || 'without a message'}`
}

/** @param {string} path */
function readReport(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

/**
 * A runner that failed without naming a failed test counts as one failure.
 * @param {string} name
 * @param {number} passed
 * @param {number} failed
 * @param {number} code
 */
function add(name, passed, failed, code) {
  const counted = code !== 0 && failed === 0 ? 1 : failed
  total.passed += passed
  total.failed += counted
  process.stdout.write(
    `${counted === 0 ? '✓' : '✗'} ${name}: ${passed} passed, ${counted} failed\n`,
  )
}
