// npm run setup: makes a server of its own out of a fresh Debian. Works with Node 20 and without dependencies.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import { readArguments } from './arguments.mjs'
import { createMachine, runSteps } from './setup/machine.mjs'
import { readSettings, SETTINGS } from './setup/settings.mjs'
import { chooseProxy, findSite } from './setup/proxies.mjs'
import { findAdministrator, finish, listSteps, requireFile } from './setup/steps.mjs'
import { Failure, run } from './status.mjs'

// Whoever runs this may have a stricter one, and the program has a user of its own.
process.umask(0o022)

const HELP = `npm run setup   as root on Debian: asks for domain, mail server and first administrator, installs this version in
                /opt/knowledge-bazaar, and serves it at https://DOMAIN by systemd behind nginx or Caddy. What is right
                already stays as it is, so it may be run again.

  --domain bazaar.example     must lead to this machine
  --smtp smtp://USER:PASSWORD@HOST:587   the mail server, or none
  --from hello@bazaar.example sender of mails; hello@DOMAIN unless given
  --admin "ann ann@mail.example"   username and e-mail address of the first administrator
  --proxy nginx|caddy         nginx if it is there, else Caddy
  --certificate FILE --key FILE   a certificate of yours; else Let's Encrypt gives one
  --dry-run                   only says what is not right yet
  --root FOLDER               writes the files below a folder and runs no command: to look at them
`

const { values } = readArguments(HELP, {
  options: {
    domain: { type: 'string' },
    smtp: { type: 'string' },
    from: { type: 'string' },
    admin: { type: 'string' },
    proxy: { type: 'string' },
    certificate: { type: 'string' },
    key: { type: 'string' },
    root: { type: 'string', default: '/' },
    'dry-run': { type: 'boolean', default: false },
  },
})

const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/
/** What the settings OWNER_EMAIL and MAIL_FROM accept. */
const ADDRESS = /^[\w'+-]+(?:\.[\w'+-]+)*@(?:[a-z\d][a-z\d-]*\.)+[a-z]{2,}$/i
const USERNAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]+[\p{L}\p{M}\p{N}]$/u

await run(async () => {
  const machine = createMachine(resolve(values.root))
  const isDry = values['dry-run'] === true
  if (machine.isReal && process.getuid?.() !== 0)
    throw new Failure('Run it as root: it reads and writes in /etc and /opt, and starts services.')
  if (machine.isReal && !isDry && !existsSync('/run/systemd/system'))
    throw new Failure('systemd does not run here. docs/operations.md has other ways to run it.')
  const answers = await readAnswers(machine)
  await runSteps(listSteps(machine, answers), isDry)
  if (!machine.isReal || isDry) return
  await finish(machine, answers)
  process.stdout.write(
    `\nYour site: https://${answers.domain}\nCommands: bazaar doctor, bazaar admin, bazaar backup, npm run update\n`,
  )
})

/** @param {import('./setup/machine.mjs').Machine} machine @returns {Promise<import('./setup/steps.mjs').Answers>} */
async function readAnswers(machine) {
  const there = readSettings(machine.read(SETTINGS))
  const { PUBLIC_URL, SMTP_URL, MAIL_FROM, OWNER_EMAIL } = there
  const site = findSite(machine)
  const proxy = values.proxy ?? site?.proxy ?? chooseProxy(machine)
  if (proxy !== 'nginx' && proxy !== 'caddy') throw new Failure('--proxy is nginx or caddy.')
  if ((values.certificate === undefined) !== (values.key === undefined))
    throw new Failure('--certificate and --key belong together.')
  const certificate =
    values.certificate === undefined || values.key === undefined
      ? (site?.certificate ?? null)
      : {
          certificate: requireFile(resolve(values.certificate)),
          key: requireFile(resolve(values.key)),
        }
  const questions = createQuestions()
  try {
    const domain = await questions.answer(
      'domain',
      'Domain: ',
      values.domain ?? PUBLIC_URL,
      readDomain,
    )
    const smtp = await questions.answer(
      'smtp',
      'Mail server (smtp://USER:PASSWORD@HOST:587, or none): ',
      values.smtp ?? SMTP_URL ?? (PUBLIC_URL === undefined ? undefined : 'none'),
      readMailServer,
    )
    const from = readAddress(values.from ?? MAIL_FROM ?? `hello@${domain}`)
    const hasAdministrator = findAdministrator(machine, there)
    const administrator =
      hasAdministrator && values.admin === undefined
        ? null
        : await questions.answer(
            'admin',
            'First administrator (username and e-mail address): ',
            values.admin,
            readAdministrator,
          )
    // Once there is an administrator, the operator may have changed where reports go.
    const owner = (hasAdministrator && OWNER_EMAIL) || administrator?.email || OWNER_EMAIL
    return {
      domain,
      smtp,
      from,
      administrator,
      owner: readAddress(owner ?? ''),
      proxy,
      certificate,
    }
  } finally {
    questions.close()
  }
}

/** Takes the address of the site, too. @param {string} given */
function readDomain(given) {
  const address = `https://${given.replace(/^https?:\/\//, '')}`
  // Names in other scripts become those that certificates and configurations contain.
  const domain = URL.canParse(address) ? new URL(address).hostname : ''
  if (!DOMAIN.test(domain)) throw new Failure(`"${given}" is not a domain such as bazaar.example.`)
  return domain
}

/** @param {string} given */
function readMailServer(given) {
  if (given === '' || given === 'none') return 'none'
  if (!/^smtps?:\/\/[^/\s]\S*$/.test(given) || !URL.canParse(given))
    throw new Failure('The mail server must be smtp://USER:PASSWORD@HOST:587, smtps://…, or none.')
  return given
}

/** @param {string} given */
function readAddress(given) {
  if (!ADDRESS.test(given)) throw new Failure(`"${given}" is not an e-mail address.`)
  return given
}

/** @param {string} given */
function readAdministrator(given) {
  const [username = '', email = '', ...more] = given.split(/[\s,]+/)
  if (!USERNAME.test(username) || !ADDRESS.test(email) || more.length > 0)
    throw new Failure(
      `"${given}" is not a username of 3 characters or more and an e-mail address, as in: ann ann@mail.example`,
    )
  return { username, email }
}

function createQuestions() {
  /** @type {import('node:readline/promises').Interface | null} */
  let terminal = null
  /** @param {string} flag @param {string} question @returns {Promise<string>} */
  const ask = (flag, question) => {
    if (!process.stdin.isTTY) throw new Failure(`Nobody can be asked here: give --${flag}.`)
    terminal ??= createInterface({ input: process.stdin, output: process.stdout })
    const asked = terminal
    return new Promise((accept, reject) => {
      asked.once('close', () => reject(new Failure('\nNothing was changed.')))
      asked.question(question).then(accept, reject)
    })
  }
  return {
    /**
     * Reads what is given, or asks until an answer can be read.
     * @template T
     * @param {string} flag @param {string} question @param {string | undefined} given @param {(text: string) => T} read
     * @returns {Promise<T>}
     */
    answer: async (flag, question, given, read) => {
      if (given !== undefined) return read(given.trim())
      for (;;) {
        const said = await ask(flag, question)
        try {
          return read(said.trim())
        } catch (error) {
          if (!(error instanceof Failure)) throw error
          process.stdout.write(`${error.message}\n`)
        }
      }
    },
    close: () => terminal?.close(),
  }
}
