import { readFileSync } from 'node:fs'
import { packageVersion } from '#server/kernel/version.ts'

const CURRENT = new URL('../../../dist/current', import.meta.url)

/** Returns the version and the newest build of the pages, as in `1.0.0, pages 3fa9…`. Reads two small files. */
export function readVersion(): string {
  return `${packageVersion()}, pages ${newestBuild()}`
}

function newestBuild(): string {
  try {
    return readFileSync(CURRENT, 'utf8').trim().slice(0, 8)
  } catch {
    return 'none'
  }
}
