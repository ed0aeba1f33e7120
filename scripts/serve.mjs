// node scripts/serve.mjs: starts the server from the bundle of the last `npm run build`, or from source without
// one. It doesn't check whether the bundle is current, which `npm start` does first; `npm run dev` uses the
// sources.
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

/**
 * Prevents later builds from deleting the folder, because this process may still load files from it.
 * @param {string} folder
 */
function noteUse(folder) {
  const mark = join(folder, 'used-by', String(process.pid))
  try {
    mkdirSync(join(folder, 'used-by'), { recursive: true })
    writeFileSync(mark, '')
    process.once('exit', () => rmSync(mark, { force: true }))
  } catch {
    // If the folder can't be written, nobody can delete builds in it either.
  }
}

await import(pathToFileURL(findProgram()).href)
