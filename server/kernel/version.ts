import { readFileSync } from 'node:fs'

const MANIFEST = new URL('../../package.json', import.meta.url)

/** Returns the version as in `1.0.0`, or `unknown` if package.json is missing. */
export function packageVersion(): string {
  try {
    const manifest: unknown = JSON.parse(readFileSync(MANIFEST, 'utf8'))
    return typeof manifest === 'object' && manifest !== null && 'version' in manifest
      ? String(manifest.version)
      : 'unknown'
  } catch {
    return 'unknown'
  }
}
