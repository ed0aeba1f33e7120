// npm run build: builds the pages unless a build of the same sources exists.
import { relative } from 'node:path'
import process from 'node:process'
import { readArguments } from './arguments.mjs'
import { ensureBuilt } from './build.mjs'
import { root } from './commands.mjs'
import { ensureInstalled } from './install.mjs'
import { run } from './status.mjs'

const HELP = `npm run build builds the pages into dist/<hash>, named by what they are made of, and lets
dist/current name it. Servers that run keep the build they began with; the last two stay. No options.
`

readArguments(HELP, {})
await run(async () => {
  const folder = await ensureBuilt(await ensureInstalled())
  process.stdout.write(`The pages are in ${relative(root, folder)}\n`)
})
