/**
 * Which texts a page can show: every catalogue key that stands in quotes in a module which the page can reach. Keys are
 * never put together from pieces, so none is missed; some may come that are never shown.
 */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROUTES = 'web/routes.ts'
const FRAME = 'web/entry.client.tsx'
const STATIC =
  /^(import|export)\s+(type\s+)?(?:([^'";]*?)\s+from\s+)?'#((?:web|contract)\/[^']+\.tsx?)'$/gm
const LAZY = /\bimport\('#((?:web|contract)\/[^']+\.tsx?)'\)/g
const PAGE = /import\('#web\/(.+Page)(?:\.data)?\.tsx?'\)/g
/** The views of a page, and the parts that come at need: each has its texts beside it. */
const VIEW = /\b(?:pageView|partAtNeed|personPart|lazyPart|lazyComponent)\(\s*'([^']+)'/g
const QUOTED = /'(\w+)'|"(\w+)"/g

interface Source {
  /** Without its imports. */
  readonly body: string
  readonly imports: readonly string[]
  /** Names of the views and parts that it declares. They are no imports of it: each has texts of its own. */
  readonly views: readonly string[]
}

export interface PageKeys {
  /** Of the frame round every page, its parts that come at need apart. */
  readonly core: ReadonlySet<string>
  /** What a page, a view of it, or a part of a view or of the frame needs besides, by its name. */
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
  const reach = (entries: readonly string[], until = '') => {
    const seen = new Set(entries)
    const found = new Set<string>()
    const views = new Set<string>()
    // A set that grows is walked to its end.
    for (const file of seen) {
      if (file === until) continue
      const source = read(file)
      for (const [, single = '', double = ''] of source.body.matchAll(QUOTED)) {
        const key = single || double
        if (keys.has(key)) found.add(key)
      }
      for (const name of source.imports) seen.add(name)
      for (const name of source.views) views.add(name)
    }
    return { found, views }
  }
  const routes = readFileSync(pathOf(ROUTES), 'utf8')
  const { found: core, views: frameParts } = reach([FRAME], ROUTES)
  const pages = new Map<string, ReadonlySet<string>>()
  /** By page, view or part: the texts that are there when it is shown, those of the frame apart. */
  const held = new Map<string, ReadonlySet<string>>()
  const leading = new Map<string, string[]>()
  const names = [...routes.matchAll(PAGE)].map(([, name = '']) => name)
  // Pages and the frame's parts, then their views, then the parts of these; each by its name, with those that lead to it.
  let level = new Map([...names, ...frameParts].map((name) => [name, [] as string[]]))
  while (level.size > 0) {
    const next = new Map<string, string[]>()
    for (const [name, parents] of level) {
      // A part of several views is met on several levels: its texts are those that one of all of them lacks.
      parents.push(...(leading.get(name) ?? []))
      leading.set(name, parents)
      const { found, views } = reach([`web/${name}.tsx`, `web/${name}.data.ts`].filter(isThere))
      const isHeld = (key: string) =>
        core.has(key) ||
        (parents.length > 0 && parents.every((parent) => held.get(parent)?.has(key) === true))
      const own = new Set([...found].filter((key) => !isHeld(key)))
      pages.set(name, own)
      held.set(
        name,
        new Set([...own, ...parents.flatMap((parent) => [...(held.get(parent) ?? [])])]),
      )
      // A part of the frame that a page names as well brings all of its texts: other pages have it without this one.
      for (const view of views)
        if (!frameParts.has(view)) next.set(view, [...(next.get(view) ?? []), name])
    }
    level = next
  }
  return { core, pages, files: [...sources.keys(), ROUTES] }
}

const isThere = (file: string) => existsSync(pathOf(file))

function readSource(file: string): Source {
  const text = readFileSync(pathOf(file), 'utf8')
  const body = text.replaceAll(STATIC, '')
  const named = [...text.matchAll(STATIC)]
    .filter(([, , type]) => type === undefined)
    .filter(([, , , names = '']) => names === '' || importsValues(names))
    .map(([, , , , target = '']) => target)
  const lazy = [...body.matchAll(LAZY)].map(([, target = '']) => target)
  const views = [...body.matchAll(VIEW)].map(([, name = '']) => name)
  const own = lazy.filter((file) => !views.includes(file.replace(/^web\/(.+)\.tsx$/, '$1')))
  return { body, imports: [...named, ...own], views }
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
