/** Which modules go into the one file that every page loads. */
import type { Rolldown } from 'vite'

interface Graph {
  getModuleInfo(id: string): Rolldown.ModuleInfo | null
}

const ENTRY = '/web/entry.client.tsx'
const PAGE = 'virtual:page/'
/** Needed by so many pages that a file of its own would only be one more request. */
const MANY = 3
/** Two pages only, but those that most visits begin with or come to. */
const LISTS =
  /\/web\/lessons\/(?:ItemList|ListFilters)\.tsx$|\/web\/lessons\/list-words\.ts$|\/web\/ui\/(?:Segment|Drawer|Chip)\.tsx$/

/** `shared` for what the entry or many pages need at once, else null. */
export function nameShared(id: string, graph: Graph): string | null {
  if (LISTS.test(id)) return 'shared'
  const above = new Set([id])
  let pages = 0
  // A set that grows is walked to its end.
  for (const module of above) {
    if (module.endsWith(ENTRY)) return 'shared'
    if (module.includes(PAGE)) pages += 1
    for (const importer of graph.getModuleInfo(module)?.importers ?? []) above.add(importer)
  }
  return pages >= MANY ? 'shared' : null
}
