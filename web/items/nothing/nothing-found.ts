/** What a list or a search shows where it finds nothing: loaded only then. */
import { type LoadableView, pageView } from '#web/core/router/page-view.ts'
import type { WaysOn } from '#web/items/list/besides.ts'

export const nothingFound = pageView('items/nothing/NothingFound', async () => {
  const { NothingFound } = await import('#web/items/nothing/NothingFound.tsx')
  return NothingFound
})

/** The view that the data of a list or of a search ask for. */
export const viewOf = ({ ways }: { readonly ways: WaysOn | null }): LoadableView | undefined =>
  ways === null ? undefined : nothingFound
