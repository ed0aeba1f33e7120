import { captions } from '#contract/captions.ts'
import { CAPTION_LISTS_A_MINUTE, CAPTIONS_A_MINUTE } from '#contract/caption-limits.ts'
import { readCaptions, removeCaptions, storeCaptions } from '#server/items/captions/captions.ts'
import {
  acceptOffer,
  declineOffer,
  offerCaptions,
  readOffers,
} from '#server/items/captions/offers.ts'
import { route, type Route } from '#server/kernel/call.ts'
import { createRate } from '#server/kernel/limits/rates.ts'
import type { Core } from '#server/platform/core/core.ts'
import { lessonRef } from '#server/platform/events/catalogue.ts'

export function routes(core: Core): Route[] {
  const { reads, config, events } = core
  const ofPerson = createRate(CAPTIONS_A_MINUTE.person, config)
  const ofAll = createRate(CAPTIONS_A_MINUTE.all, config)
  const listsOfPerson = createRate(CAPTION_LISTS_A_MINUTE.person, config)
  const listsOfAll = createRate(CAPTION_LISTS_A_MINUTE.all, config)
  // Parsing a large file blocks the event loop for some milliseconds.
  const count = (userId: string) => {
    ofPerson.count(userId)
    ofAll.count('')
  }
  const publish = (id: number) => events.publish({ type: 'items.changed', items: [lessonRef(id)] })
  return [
    route(captions.ofLesson, ({ viewer }, { lessonId }) =>
      readCaptions(reads.of(viewer), viewer, lessonId),
    ),
    route(captions.put, async ({ viewer }, given) => {
      count(viewer.id)
      const cues = await storeCaptions(core, viewer, given)
      publish(given.lessonId)
      return { language: given.language, cues }
    }),
    route(captions.remove, async ({ viewer }, given) => {
      count(viewer.id)
      await removeCaptions(core, viewer, given)
      publish(given.lessonId)
      return null
    }),
    route(captions.offers, ({ viewer }, { lessonId }) => {
      listsOfPerson.count(viewer.id)
      listsOfAll.count('')
      return readOffers(reads.of(viewer), viewer, lessonId)
    }),
    route(captions.offer, ({ viewer }, given) => {
      count(viewer.id)
      return offerCaptions(core, viewer, given)
    }),
    route(captions.accept, async ({ viewer }, decision) => {
      count(viewer.id)
      const { lessonId, amount } = await acceptOffer(core, viewer, decision)
      publish(lessonId)
      return { amount }
    }),
    route(captions.decline, async ({ viewer }, decision) => {
      count(viewer.id)
      await declineOffer(core, viewer, decision)
      return null
    }),
  ]
}
