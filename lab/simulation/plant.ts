/** Replaces the text of one module of the product while it is loaded. No file changes. */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Bug } from './bugs.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Returns the changed text. @throws when the place is not there exactly once */
export function applyBug({ name, file, find, replace }: Bug): string {
  const text = readFileSync(join(ROOT, file), 'utf8')
  if (text.split(find).length !== 2) throw new Error(`“${name}” has no single place in ${file}`)
  return text.replace(find, () => replace)
}

/** Call it before the product is imported. */
export function plant(bug: Bug): void {
  const source = applyBug(bug)
  const url = pathToFileURL(join(ROOT, bug.file)).href
  registerHooks({
    load: (asked, context, next) =>
      asked === url
        ? { format: 'module-typescript', source, shortCircuit: true }
        : next(asked, context),
  })
}
