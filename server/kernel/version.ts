/** Which version of the product this is, by semantic versioning (CHANGELOG.md). */
import { readFileSync } from 'node:fs'

const MANIFEST = new URL('../../package.json', import.meta.url)

/** The version of the package, `1.0.0`; `unknown` where its file is not beside the product. Reads a small file. */
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
