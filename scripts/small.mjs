// node scripts/small.mjs backup …: runs scripts/backup.ts with a small heap, because the command streams
// gigabytes.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { become } from './become.mjs'
import { root } from './commands.mjs'

/**
 * The live heap is a quarter of these limits. With a larger heap, V8 lets used buffers accumulate before it frees
 * them, and a backup needs twice as much memory.
 * @type {string[]}
 */
const flags = JSON.parse(
  readFileSync(join(root, 'server', 'operate', 'backup', 'heap.json'), 'utf8'),
)
const [name = '', ...words] = process.argv.slice(2)
become(process.execPath, [...flags, join(root, 'scripts', `${name}.ts`), ...words])
