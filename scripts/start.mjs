// npm start: installs and builds what is missing, then runs the server. Works with Node 20 and without
// dependencies.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { become } from './become.mjs'
import { ensureBuilt } from './build.mjs'
import { root } from './commands.mjs'
import { ensureInstalled, isInstalled } from './install.mjs'
import { refuseUsedFolder } from './in-use.mjs'
import { Failure, run } from './status.mjs'

const HELP = `npm start installs what is missing, builds the pages if they changed, and starts
Knowledge Bazaar with its own database in ./data. No settings are needed.

  PORT=8080 npm start        another port
  DATA_DIR=/srv/bazaar …     another place for the data
  DATABASE_URL=postgres://…  a PostgreSQL of your own
  npm start -- --help        prints all settings, --version the version
`

await run(async () => {
  const args = process.argv.slice(2)
  if (args.includes('--version')) {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    process.stdout.write(`${version}\n`)
    return
  }
  const unknown = args.find((word) => !/^(?:--version|--help|-h|--build=.+)$/.test(word))
  if (unknown !== undefined) throw new Failure(`Unknown argument "${unknown}".\n\n${HELP}`)
  const isHelp = args.includes('--help') || args.includes('-h')
  if (isHelp) {
    process.stdout.write(HELP)
    if (!isInstalled()) {
      process.stdout.write('\nOnce it is installed, --help lists every setting.\n')
      return
    }
    process.stdout.write('\n')
  }
  // Checked before an install and a build, which may take minutes.
  if (!isHelp) refuseUsedFolder()
  const node = await ensureInstalled()
  if (!isHelp && existsSync(join(root, 'web'))) await ensureBuilt(node)
  become(node, [
    join(root, ...(isHelp ? ['server', 'main.ts'] : ['scripts', 'serve.mjs'])),
    ...args,
  ])
})
