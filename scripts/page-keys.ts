/**
 * Which texts a page can show: every catalogue key that stands in quotes in a module which the page can reach. Keys are
 * never put together from pieces, so none is missed; some may come that are never shown.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROUTES = 'web/routes.ts'
const FRAME = 'web/entry.client.tsx'
const STATIC =
  /^(import|export)\s+(type\s+)?(?:([^'";]*?)\s+from\s+)?'#((?:web|contract)\/[^']+\.tsx?)'$/gm
const LAZY = /\bimport\('#((?:web|contract)\/[^']+\.tsx?)'\)/g
const PAGE = /import\('#web\/(.+Page)(?:\.data)?\.tsx?'\)/g
const QUOTED = /'(\w+)'|"(\w+)"/g

interface Source {
  /** Without its imports. */
  readonly body: string
  readonly imports: readonly string[]
}

export interface PageKeys {
  /** Of the frame round every page. */
  readonly core: ReadonlySet<string>
  /** What a page needs besides, by its name in the route table. */
  readonly pages: ReadonlyMap<string, ReadonlySet<string>>
  /** Everything that was read, as paths below the root. */
  readonly files: readonly string[]
}

/** @param keys all keys of the catalogue */
export function findPageKeys(keys: ReadonlySet<string>): PageKeys {
  const sources = new Map<string, Source>()
  const read = (file: string) => {
    const source = sources.get(file) ?? readSource(file)
    sources.set(file, source)
    return source
  }
  const reach = (entries: readonly string[], until: (file: string) => boolean) => {
    const seen = new Set(entries)
    const found = new Set<string>()
    // A set that grows is walked to its end.
    for (const file of seen) {
      if (until(file)) continue
      const { body, imports } = read(file)
      for (const [, single = '', double = ''] of body.matchAll(QUOTED)) {
        const key = single || double
        if (keys.has(key)) found.add(key)
      }
      for (const name of imports) seen.add(name)
    }
    return found
  }
  const routes = readFileSync(pathOf(ROUTES), 'utf8')
  const names = new Set([...routes.matchAll(PAGE)].map(([, name = '']) => name))
  const core = reach([FRAME], (file) => file === ROUTES)
  const pages = new Map(
    [...names].map((name) => {
      const own = reach([`web/${name}.tsx`, `web/${name}.data.ts`], () => false)
      return [name, new Set([...own].filter((key) => !core.has(key)))] as const
    }),
  )
  return { core, pages, files: [...sources.keys(), ROUTES] }
}

function readSource(file: string): Source {
  const text = readFileSync(pathOf(file), 'utf8')
  const body = text.replaceAll(STATIC, '')
  const named = [...text.matchAll(STATIC)]
    .filter(([, , type]) => type === undefined)
    .filter(([, , , names = '']) => names === '' || importsValues(names))
    .map(([, , , , target = '']) => target)
  const lazy = [...body.matchAll(LAZY)].map(([, target = '']) => target)
  return { body, imports: [...named, ...lazy] }
}

/** `{ a, type B }`, but not `{ type B }`. */
function importsValues(names: string): boolean {
  return names
    .replaceAll(/[{}]/g, '')
    .split(',')
    .some((name) => name.trim() !== '' && !name.trim().startsWith('type '))
}

function pathOf(file: string): string {
  return fileURLToPath(new URL(`../${file}`, import.meta.url))
}
