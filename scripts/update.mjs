// npm run update: installs a version beside the running one, and changes over without a failed request.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { basename, join, resolve } from 'node:path'
import process from 'node:process'
import { readArguments } from './arguments.mjs'
import { changeOver, explain, finishInterrupted, refuseJump } from './setup/changing.mjs'
import { createMachine } from './setup/machine.mjs'
import { buildRelease, CURRENT, installFiles, unpack, withScratch } from './setup/program.mjs'
import { Failure, run, step } from './status.mjs'

/** @typedef {import('./setup/machine.mjs').Machine} Machine */

/** In ms. */
const DOWNLOAD_MS = 10 * 60 * 1000

// Whoever runs this may have a stricter one, and the program has a user of its own.
process.umask(0o022)

const HELP = `npm run update -- ARCHIVE      an archive of npm run release: a file or an https address
npm run update -- TAG [--from REPOSITORY]   builds that version of a Git repository

As root on a server that npm run setup made. It installs the new version beside the running one, tries it with an empty
database, makes a backup if the database must be migrated, migrates, and replaces the server; connections wait for the
new one meanwhile. Then it asks for pages and runs the audit. If anything fails, the version that ran before goes on,
and the reason is printed.
`

const { values, positionals } = readArguments(HELP, {
  allowPositionals: true,
  options: { from: { type: 'string' } },
})

await run(async () => {
  const [what, ...more] = positionals
  if (what === undefined || more.length > 0) throw new Failure(HELP.trimEnd())
  const machine = createMachine('/')
  if (process.getuid?.() !== 0) throw new Failure('Run it as root.')
  if (!existsSync(CURRENT))
    throw new Failure('There is nothing to update: npm run setup installs it.')
  const began = Date.now()
  await withScratch(machine, async (scratch) => {
    await finishInterrupted(machine)
    const former = realpathSync(CURRENT)
    const next = await install(machine, { what, former, scratch })
    if (next === former) return process.stdout.write(`Version ${basename(next)} runs already.\n`)
    await changeOver(machine, { former, next, port: await findFreePort() })
    const seconds = Math.round((Date.now() - began) / 1000)
    process.stdout.write(
      `✓ Version ${basename(next)} runs (${seconds} s). Before, it was ${basename(former)}.\n`,
    )
    const hasNewUnits = ['knowledge-bazaar.service', 'knowledge-bazaar.socket'].some(
      (name) =>
        machine.read(`/etc/systemd/system/${name}`) !==
        readFileSync(join(next, 'deploy', 'systemd', name), 'utf8'),
    )
    if (hasNewUnits)
      process.stdout.write(`Its units of systemd are others: cd ${CURRENT} && npm run setup\n`)
  })
})

/**
 * Returns the folder of the installed version.
 * @param {Machine} machine
 * @param {{ what: string, former: string, scratch: string }} from
 */
async function install(machine, { what, former, scratch }) {
  try {
    const archive = await step(`Fetching ${what}`, () => fetchArchive(machine, what, scratch))
    return await step('Installing it beside the running version', async () => {
      const files = unpack(machine, archive, scratch)
      refuseJump(machine, former, files)
      return installFiles(machine, files)
    })
  } catch (error) {
    throw explain(error, 'The new version was not installed. ')
  }
}

/** @param {Machine} machine @param {string} what @param {string} scratch @returns {Promise<string>} the path of the archive */
async function fetchArchive(machine, what, scratch) {
  if (existsSync(what)) return resolve(what)
  if (what.startsWith('https://')) return download(what, scratch)
  const { from } = values
  if (from === undefined)
    throw new Failure(`${what} is no file. For a tag, name its repository by --from.`)
  const checkout = join(scratch, 'checkout')
  machine.run('git', ['clone', '-q', '--depth', '1', '--branch', what, '--', from, checkout])
  return buildRelease(machine, checkout, scratch)
}

/** Compares it with the checksum beside it. @param {string} url @param {string} scratch */
async function download(url, scratch) {
  const take = async (/** @type {string} */ from) => {
    const answer = await fetch(from, { signal: AbortSignal.timeout(DOWNLOAD_MS) }).catch(
      (error) => {
        throw new Failure(`${from} can't be fetched: ${error.cause?.message ?? error.message}.`)
      },
    )
    if (!answer.ok) throw new Failure(`${from} answers ${answer.status}.`)
    return Buffer.from(await answer.arrayBuffer())
  }
  const bytes = await take(url)
  const [wanted] = (await take(`${url}.sha256`)).toString().split(/\s/)
  if (createHash('sha256').update(bytes).digest('hex') !== wanted)
    throw new Failure(`${url} is not what its checksum says.`)
  const path = join(scratch, 'archive.tar.gz')
  writeFileSync(path, bytes)
  return path
}

/** @returns {Promise<number>} */
function findFreePort() {
  return new Promise((resolve_, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve_(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
