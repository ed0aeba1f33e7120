// npm run setup: makes a server of its own out of a fresh Debian. Works with Node 20 and without dependencies.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import { readArguments } from './arguments.mjs'
import { createMachine, runSteps } from './setup/machine.mjs'
import { readSettings, SETTINGS } from './setup/settings.mjs'
import { chooseProxy, findSite } from './setup/proxies.mjs'
import { finish, listSteps, requireFile } from './setup/steps.mjs'
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

await run(async () => {
  const machine = createMachine(resolve(values.root))
  const isDry = values['dry-run'] === true
  if (machine.isReal && !isDry && process.getuid?.() !== 0)
    throw new Failure('Run it as root: it writes to /etc and /opt and starts services.')
  if (machine.isReal && !isDry && !existsSync('/run/systemd/system'))
    throw new Failure('systemd does not run here. docs/operations.md has other ways to run it.')
  const answers = await readAnswers(machine)
  const { steps } = listSteps(machine, answers)
  await runSteps(steps, isDry)
  if (!machine.isReal || isDry) return
  finish(machine, answers)
  process.stdout.write(
    `\nYour site: https://${answers.domain}\nCommands: bazaar doctor, bazaar admin, bazaar backup, npm run update\n`,
  )
})

/** @param {import('./setup/machine.mjs').Machine} machine */
async function readAnswers(machine) {
  const there = readSettings(machine.read(SETTINGS))
  const isFirst = Object.keys(there).length === 0
  const questions = createQuestions()
  try {
    const former = there['PUBLIC_URL']?.replace('https://', '')
    const domain = (values.domain ?? former ?? (await questions.ask('Domain: '))).trim()
    if (!/^(?:[a-z0-9-]+\.)+[a-z0-9-]{2,}$/.test(domain))
      throw new Failure(`"${domain}" is not a domain such as bazaar.example.`)
    const smtp = (
      values.smtp ??
      there['SMTP_URL'] ??
      (isFirst
        ? await questions.ask('Mail server (smtp://USER:PASSWORD@HOST:587, or none): ')
        : 'none')
    ).trim()
    if (smtp !== 'none' && !(/^smtps?:\/\/[^/]/.test(smtp) && URL.canParse(smtp)))
      throw new Failure(
        'The mail server must be smtp://USER:PASSWORD@HOST:587, smtps://…, or none.',
      )
    const [username, email] = await readAdministrator(questions, isFirst, there['OWNER_EMAIL'])
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
    const from = values.from ?? there['MAIL_FROM'] ?? `hello@${domain}`
    return {
      domain,
      smtp,
      from,
      username,
      email,
      proxy: /** @type {'nginx' | 'caddy'} */ (proxy),
      certificate,
    }
  } finally {
    questions.close()
  }
}

/**
 * Returns the username and the address. On a site that is set up already nobody is asked, and the name is empty.
 * @param {ReturnType<typeof createQuestions>} questions
 * @param {boolean} isFirst
 * @param {string | undefined} owner
 */
async function readAdministrator(questions, isFirst, owner) {
  if (values.admin === undefined && !isFirst && owner !== undefined)
    return /** @type {const} */ (['', owner])
  const given =
    values.admin ?? (await questions.ask('First administrator (username and e-mail address): '))
  const [username = '', email = '', ...more] = given.trim().split(/[\s,]+/)
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || more.length > 0)
    throw new Failure(
      `"${given}" is not a username and an e-mail address, as in: ann ann@mail.example`,
    )
  return /** @type {const} */ ([username, email])
}

function createQuestions() {
  /** @type {import('node:readline/promises').Interface | null} */
  let terminal = null
  return {
    /** @param {string} question */
    ask: async (question) => {
      if (!process.stdin.isTTY)
        throw new Failure(`Nobody can be asked here: give --domain, --smtp and --admin.`)
      terminal ??= createInterface({ input: process.stdin, output: process.stdout })
      return terminal.question(question)
    },
    close: () => terminal?.close(),
  }
}
