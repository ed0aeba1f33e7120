import type { AnswerOf } from '#contract/endpoint.ts'
import { moderation } from '#contract/moderation.ts'
import type { Api } from '#web/core/api.ts'
import { ApiError } from '#web/core/api-error.ts'

export type DeskCounts = AnswerOf<typeof moderation.counts>

/**
 * What waits behind each tab, for every desk page's loader, beside its own data. Null when the numbers can't be had: a
 * page is shown without them rather than not at all.
 */
export async function fetchDeskCounts(api: Api): Promise<DeskCounts | null> {
  try {
    return await api(moderation.counts, {})
  } catch (error) {
    if (error instanceof ApiError && error.status !== 401) return null
    throw error
  }
}
