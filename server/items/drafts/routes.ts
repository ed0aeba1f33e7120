import { drafts, DRAFTS_A_MINUTE } from '#contract/drafts.ts'
import { route, type Route } from '#server/kernel/call.ts'
import { createRate } from '#server/kernel/limits/rates.ts'
import type { Core } from '#server/platform/core/core.ts'
import { readDraft, removeDraft, saveDraft } from '#server/items/drafts/drafts.ts'
import { listDrafts } from '#server/items/drafts/store.ts'

export function routes({ db, clock, config }: Core): Route[] {
  const own = createRate(DRAFTS_A_MINUTE.person, config)
  const all = createRate(DRAFTS_A_MINUTE.all, config)
  const count = (personId: string) => {
    own.count(personId)
    all.count('everybody')
  }
  const needs = { db, clock }
  return [
    // Read from the primary, because another device may have saved a second ago.
    route(drafts.all, ({ viewer }) => listDrafts(db, viewer.id)),
    route(drafts.read, ({ viewer }, { key }) => readDraft(db, viewer, key)),
    route(drafts.save, ({ viewer }, draft) => {
      count(viewer.id)
      return saveDraft(needs, viewer, draft)
    }),
    route(drafts.remove, async ({ viewer }, draft) => {
      count(viewer.id)
      await removeDraft(needs, viewer, draft)
      return null
    }),
  ]
}
