/** Apart from the search box, so that who types nothing loads nothing. */
import { search } from '#contract/search.ts'
import type { Suggestion } from '#contract/search.schemas.ts'
import { api } from '#web/core/api.ts'
import type { SearchKind } from '#web/layout/search/search.ts'

/** Up to 8 titles that hold what was typed. @throws ApiError */
export function fetchSuggestions(
  kind: SearchKind,
  typed: string,
  signal: AbortSignal,
): Promise<readonly Suggestion[]> {
  return api(search.suggest, { kind, q: typed }, { signal })
}
