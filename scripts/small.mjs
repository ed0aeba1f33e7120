// node scripts/small.mjs backup …: runs scripts/backup.ts with a small heap, as a command that passes on gigabytes needs.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { become } from './become.mjs'
import { root } from './commands.mjs'

/**
 * What lives in the heap of such a command is a quarter of what these flags allow. With more room V8 lets the buffers
 * that were passed on pile up before it frees them, and a backup takes twice as much memory.
 * @type {string[]}
 */
const flags = JSON.parse(readFileSync(join(root, 'server', 'backup', 'heap.json'), 'utf8'))
const [name = '', ...words] = process.argv.slice(2)
become(process.execPath, [...flags, join(root, 'scripts', `${name}.ts`), ...words])
