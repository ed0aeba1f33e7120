/** What the front page begins with, under the bar: a welcome for guests, their stall for the signed-in. */
import type { Stall } from '#contract/home.schemas.ts'
import { type LoadableView, pageView } from '#web/core/router/page-view.ts'

export const welcome = pageView('home/Welcome', async () => {
  const { Welcome } = await import('#web/home/Welcome.tsx')
  return Welcome
})
export const stall = pageView('home/stall/StallStrip', async () => {
  const { StallStrip } = await import('#web/home/stall/StallStrip.tsx')
  return StallStrip
})

/** The view that the data ask for. */
export const viewOf = (data: { readonly stall: Stall | null }): LoadableView =>
  data.stall === null ? welcome : stall
