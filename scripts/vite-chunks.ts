/** What the groups of the browser's files are distinguished by, and which modules go into the one that every page loads. */
import { fileURLToPath } from 'node:url'
import { normalizePath, type Rolldown } from 'vite'

interface Graph {
  getModuleInfo(id: string): Rolldown.ModuleInfo | null
}

type IsModule = (id: string) => boolean

const ROOT = normalizePath(fileURLToPath(new URL('..', import.meta.url)))
const ENTRY = 'web/entry.client.tsx'
/** A page, its data, and the views of pages that have several. */
const PAGE = /^web\/(.+Page)(?:\.data)?\.tsx?$/
/** Needed by so many pages, or views of pages, that a file of its own would only be one more request. */
const MANY = 5
/** What cards need, and the drawer: needed by few pages, but by those that most visits begin with or come to. */
const LISTS = /^web\/items\/list\/|^web\/ui\/Drawer\.tsx$/

/**
 * A module's path below the project's root, so that no pattern meets the names of the folders above: a checkout in a
 * folder called `contract` is built like any other. What lies elsewhere, or is no file, keeps its name.
 *
 * @param root ends with a slash
 */
export function pathBelow(id: string, root = ROOT): string {
  return id.startsWith(root) ? id.slice(root.length) : id
}

/** Modules of this project. @param pattern is held against their paths below the root, and begins with `^` */
export function ours(pattern: RegExp): IsModule {
  return (id) => pattern.test(pathBelow(id))
}

/** Modules of packages, or of all with a scope, wherever they are installed. */
export function packages(...names: readonly string[]): IsModule {
  const parts = names.map((name) => `node_modules/${name}/`)
  return (id) => {
    const path = pathBelow(id)
    return parts.some((part) => path.includes(part))
  }
}

/** A test that is true for a module when one of the given tests is. */
export function anyOf(...tests: readonly IsModule[]): IsModule {
  return (id) => tests.some((test) => test(id))
}

/** What the bundler adds by itself. */
export function isBundlers(id: string): boolean {
  return /^\0(?:rolldown|vite)\//.test(id)
}

/** `shared` for what the entry or many pages need at once, else null. */
export function nameShared(id: string, graph: Graph): string | null {
  if (LISTS.test(pathBelow(id))) return 'shared'
  const above = new Set([id])
  const pages = new Set<string>()
  // A set that grows is walked to its end.
  for (const module of above) {
    if (pathBelow(module) === ENTRY) return 'shared'
    const [, page] = PAGE.exec(pathBelow(module)) ?? []
    if (page !== undefined) pages.add(page)
    for (const importer of graph.getModuleInfo(module)?.importers ?? []) above.add(importer)
  }
  return pages.size >= MANY ? 'shared' : null
}
