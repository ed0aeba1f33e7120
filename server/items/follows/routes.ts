import { follows } from '#contract/follows.ts'
import { FOLLOWS_A_MINUTE } from '#contract/limits.ts'
import { follow, readFollowingOrThrow, unfollow } from '#server/items/follows/follows.ts'
import { listFollowed } from '#server/items/follows/store.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'
import { createRate } from '#server/kernel/limits/rates.ts'

export function routes({ db, reads, clock, config }: Core): Route[] {
  const rate = createRate(FOLLOWS_A_MINUTE, config)
  return [
    route(follows.all, ({ viewer }, { page = 1 }) =>
      listFollowed(reads.of(viewer), viewer.id, page),
    ),
    route(follows.show, ({ viewer }, { id }) =>
      readFollowingOrThrow(reads.of(viewer), viewer.id, id),
    ),
    route(follows.follow, async ({ viewer }, { id }) => {
      rate.count(viewer.id)
      return follow({ db, clock }, viewer, id)
    }),
    route(follows.unfollow, ({ viewer }, { id }) => unfollow(db, viewer, id)),
  ]
}
