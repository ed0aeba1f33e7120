import { lessonGone } from '#server/items/lessons/writing.ts'
import { videoChecks } from '#contract/video-checks.ts'
import { videos } from '#contract/video-offers.ts'
import { hurryCheck, listMissing, readChecker } from '#server/items/lessons/video/checks-store.ts'
import { createVideoOffers } from '#server/items/lessons/video/offers.ts'
import { checksVideos } from '#server/items/lessons/video/oembed.ts'
import { requireVideo } from '#server/items/lessons/writing.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'
import { shownPerson } from '#server/people/accounts/answer.ts'

/** For so long the desk shows that too many videos seemed to be gone. They are asked about daily. */
const HELD_MS = 2 * 24 * 60 * 60 * 1000

export function routes(core: Core): Route[] {
  const { db, clock, config } = core
  const readOffer = createVideoOffers(core)
  return [
    route(videos.offer, ({ viewer }, { video }) => readOffer(requireVideo(video).id, viewer.id)),
    route(videoChecks.list, async (_, { page = 1 }) => {
      const now = clock.now()
      const [rows, { failures, retryAt, heldAt, held }] = await Promise.all([
        listMissing(db, page),
        readChecker(db),
      ])
      const isHeld = heldAt !== null && now.getTime() - heldAt.getTime() < HELD_MS
      return {
        videos: rows.map(({ id, title, videoId, ownerId, ownerName, ownerPicture, ...at }) => ({
          lesson: { id, title },
          owner: shownPerson(ownerId, ownerName, ownerPicture),
          video: `https://www.youtube.com/watch?v=${videoId}`,
          failed: at.failedAt.toISOString(),
          gone: at.goneAt?.toISOString() ?? null,
          next: at.dueAt.toISOString(),
        })),
        on: checksVideos(config),
        silentUntil: failures > 0 ? retryAt.toISOString() : null,
        held: isHeld ? held : null,
      }
    }),
    route(videoChecks.again, async (_, { id }) => {
      if (!(await hurryCheck(db, id, clock.now()))) throw lessonGone()
      return null
    }),
  ]
}
