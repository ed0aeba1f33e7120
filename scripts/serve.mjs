// node scripts/serve.mjs: the process that serves, from the bundle that `npm run build` made last; without one, from its
// sources. What it is made of is not looked at: `npm start` does that first, and `npm run dev` serves the sources.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { root } from './commands.mjs'

const dist = join(root, 'dist')

/** @returns {string} the file to run */
function findProgram() {
  const sources = join(root, 'server', 'main.ts')
  try {
    const name = readFileSync(join(dist, 'current-server'), 'utf8').trim()
    const folder = join(dist, name)
    const bundled = join(folder, 'main.js')
    if (!/^server-[0-9a-f]{16}$/.test(name) || !existsSync(bundled)) return sources
    noteUse(folder)
    return bundled
  } catch {
    return sources
  }
}

/** No later build takes the folder away while this process may load more of it. @param {string} folder */
function noteUse(folder) {
  const mark = join(folder, 'used-by', String(process.pid))
  try {
    mkdirSync(join(folder, 'used-by'), { recursive: true })
    writeFileSync(mark, '')
    process.once('exit', () => rmSync(mark, { force: true }))
  } catch {
    // A folder that can't be written is swept by nobody either.
  }
}

await import(pathToFileURL(findProgram()).href)
