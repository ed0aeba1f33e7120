import type { ItemKind } from '#contract/points.schemas.ts'
import { search } from '#contract/search.ts'
import type { Api } from '#web/core/api.ts'
import { to } from '#web/core/paths.ts'
import { choicesOf, type Chosen } from '#web/items/list/list-words.ts'

/** What the search by words finds that a list searched by title misses: how many, and where they stand. */
export interface BeyondTitles {
  readonly count: number
  readonly href: string
}

/** Null where nothing is searched, where the list is narrowed besides, and where the search can't answer now. */
export async function beyondTitles(
  api: Api,
  kind: ItemKind,
  query: Chosen,
): Promise<BeyondTitles | null> {
  const q = query.search.trim()
  const isNarrowed = choicesOf({ ...query, sort: 'none' }) > 0 || query.owner !== undefined
  if (q === '' || isNarrowed) return null
  try {
    const { beyondTitles: beyond } = await api(search.find, { q, kind })
    const count = kind === 'lesson' ? beyond.lessons : beyond.courses
    return count === 0 ? null : { count, href: to.search({ q, kind }) }
  } catch {
    // The list itself is there.
    return null
  }
}
