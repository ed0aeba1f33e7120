// npm run release: builds the archive that servers install, which needs neither the tools of the build nor of the tests.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import process from 'node:process'
import { readArguments } from './arguments.mjs'
import { ensureBuilt } from './build.mjs'
import { root } from './commands.mjs'
import { ensureInstalled } from './install.mjs'
import { Failure, run, step } from './status.mjs'

// Whoever runs this may have a stricter one, and the program has a user of its own.
process.umask(0o022)

const HELP = `npm run release [-- --to FOLDER]   builds knowledge-bazaar-VERSION.tar.gz with its checksum, into dist/ unless --to
                                   names another folder: what Git knows of the server, and the built pages

On a server, unpack it and type npm start, or npm run setup: it installs the packages of package-lock.json without those
for building and testing. npm run update takes such an archive.
`

/** What a server needs, besides the build. */
const PARTS = [
  'package.json',
  'package-lock.json',
  '.npmrc',
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
]
const FOLDERS = ['contract', 'deploy', 'docs', 'packages', 'scripts', 'server']
const LEFT_OUT = /\.test\.tsx?$|\/testing\/|^packages\/[^/]+\/(?:tests|training|testing|examples)\//

const { values } = readArguments(HELP, { options: { to: { type: 'string' } } })
await run(async () => {
  if (!existsSync(join(root, '.git'))) throw new Failure('A release is built in a Git checkout.')
  await ensureBuilt(await ensureInstalled())
  const to = resolve(values.to ?? join(root, 'dist'))
  mkdirSync(to, { recursive: true })
  const archive = await step('Packing', async () => pack(to))
  const sum = createHash('sha256').update(readFileSync(archive)).digest('hex')
  const name = relative(to, archive)
  writeFileSync(`${archive}.sha256`, `${sum}  ${name}\n`)
  const megabytes = (statSync(archive).size / 1e6).toFixed(1)
  process.stdout.write(`${archive}: ${megabytes} MB\n`)
})

/**
 * @param {string} to
 * @returns {string} the path of the archive
 */
function pack(to) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const name = `knowledge-bazaar-${version}`
  const staging = mkdtempSync(join(tmpdir(), 'bazaar-release-'))
  try {
    for (const file of listFiles()) {
      const target = join(staging, name, file)
      mkdirSync(dirname(target), { recursive: true })
      cpSync(join(root, file), target)
    }
    for (const pointer of ['current', 'current-server']) {
      const build = readFileSync(join(root, 'dist', pointer), 'utf8').trim()
      for (const path of [pointer, build])
        cpSync(join(root, 'dist', path), join(staging, name, 'dist', path), {
          recursive: true,
          filter: (source) => !source.endsWith('/used-by'),
        })
    }
    const archive = join(to, `${name}.tar.gz`)
    const owner = ['--owner=0', '--group=0', '--numeric-owner', '--sort=name']
    execFileSync('tar', ['-C', staging, '-czf', archive, ...owner, name], { stdio: 'inherit' })
    return archive
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

function listFiles() {
  const words = ['ls-files', '-z', '--', ...PARTS, ...FOLDERS]
  const listed = execFileSync('git', words, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
  return listed
    .split('\0')
    .filter((file) => file !== '' && !LEFT_OUT.test(file) && existsSync(join(root, file)))
}
