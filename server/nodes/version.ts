/** Which version this process runs, to compare with others. */
import { readFileSync } from 'node:fs'

const ROOT = new URL('../../', import.meta.url)

/** The version of the package and the newest build of the pages; `0.1.0, pages 3fa9…`. Reads two small files. */
export function readVersion(): string {
  const pages = readOr('dist/current', 'none').trim().slice(0, 8)
  const manifest: unknown = JSON.parse(readOr('package.json', '{}'))
  const version =
    typeof manifest === 'object' && manifest !== null && 'version' in manifest
      ? String(manifest.version)
      : 'unknown'
  return `${version}, pages ${pages}`
}

function readOr(path: string, otherwise: string): string {
  try {
    return readFileSync(new URL(path, ROOT), 'utf8')
  } catch {
    return otherwise
  }
}
