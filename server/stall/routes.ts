/** The front page of the signed-in over HTTP. */
import { home } from '#contract/home.schemas.ts'
import { countUnread } from '#server/chat/store.ts'
import { listNewOfFollowed } from '#server/follows/new-items.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Core } from '#server/kernel/core.ts'
import { listFresh } from '#server/lessons/recommended/by-taste.ts'
import { readStall } from '#server/stall/store.ts'

/** The one call of a stall. */
export function routes({ db, reads, clock }: Core): Route[] {
  return [
    route(home.stall, async ({ viewer, locale }) => {
      const from = reads.of(viewer)
      const [stall, fresh, followed, unread] = await Promise.all([
        readStall(from, viewer, clock.now()),
        listFresh(from, viewer, locale),
        listNewOfFollowed(from, viewer),
        // Where the number in the bar comes from too, so that the two agree.
        countUnread(db, viewer.id),
      ])
      return { ...stall, fresh, followed, week: { ...stall.week, unread } }
    }),
  ]
}
