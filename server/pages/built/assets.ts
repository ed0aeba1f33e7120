import * as z from 'zod/mini'
import type { Assets } from '#contract/render.ts'

const Names = z.optional(z.array(z.string()))
const Manifest = z.record(z.string(), z.object({ file: z.string(), css: Names, imports: Names }))
type Manifest = z.infer<typeof Manifest>

const ENTRY = 'web/entry.client.tsx'
/** Matches the module of a page or of its data. */
const PAGE = /^web\/(?:.+\/)?(\w+Page)(?:\.data)?\.tsx?$/
const MESSAGES = /virtual:messages\/([\w.-]+)$/

/**
 * Reads the bundler's manifest: which scripts and styles the entry, each page and each language need.
 * @throws ZodError for an invalid manifest
 */
export function readAssets(given: unknown): Assets {
  const manifest = Manifest.parse(given)
  const entry = filesOf(manifest, ENTRY)
  const pages: Record<string, { script: string; scripts: string[]; styles: string[] }> = {}
  const messages: Record<string, string> = {}
  for (const key of Object.keys(manifest)) {
    const page = PAGE.exec(key)?.[1]
    const locale = MESSAGES.exec(key)?.[1]
    if (locale !== undefined) messages[locale] = `/${manifest[key]?.file ?? ''}`
    if (page === undefined || key === ENTRY) continue
    const files = filesOf(manifest, key)
    const [script = ''] = files.scripts
    const known = (pages[page] ??= { script, scripts: [], styles: [] })
    known.scripts = [...new Set([...known.scripts, ...files.scripts])].filter(
      (file) => !entry.scripts.includes(file),
    )
    known.styles = [...new Set([...known.styles, ...files.styles])].filter(
      (file) => !entry.styles.includes(file),
    )
  }
  // Every page needs the entry's own imports, which the browser would otherwise discover one step later.
  const [script = '', ...shared] = entry.scripts
  for (const page of Object.values(pages)) page.scripts.unshift(...shared)
  // The base style sheet comes first, because it declares the order of the layers.
  const base = (manifest[ENTRY]?.css ?? []).map((file) => `/${file}`)
  return { script, styles: [...new Set([...base, ...entry.styles])], pages, messages }
}

/** Returns a chunk and all its static imports, the chunk first. */
function filesOf(
  manifest: Manifest,
  key: string,
  seen = new Set<string>(),
): { scripts: string[]; styles: string[] } {
  const chunk = manifest[key]
  if (chunk === undefined || seen.has(key)) return { scripts: [], styles: [] }
  seen.add(key)
  const scripts = [`/${chunk.file}`]
  const styles = (chunk.css ?? []).map((file) => `/${file}`)
  for (const name of chunk.imports ?? []) {
    const below = filesOf(manifest, name, seen)
    scripts.push(...below.scripts)
    styles.unshift(...below.styles)
  }
  return { scripts, styles }
}
