/** Which version this process runs, to compare with others. */
import { readFileSync } from 'node:fs'
import { packageVersion } from '#server/kernel/version.ts'

const CURRENT = new URL('../../dist/current', import.meta.url)

/** The version of the package and the newest build of the pages; `1.0.0, pages 3fa9…`. Reads two small files. */
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
