import type { AnswerOf } from '#contract/endpoint.ts'
import { moderation } from '#contract/moderation.ts'
import type { Api } from '#web/core/api.ts'
import { ApiError } from '#web/core/api-error.ts'

export type DeskCounts = AnswerOf<typeof moderation.counts>

/** The counts on the desk's tabs. Returns null on failure, because a page without counts is better than none. */
export async function fetchDeskCounts(api: Api): Promise<DeskCounts | null> {
  try {
    return await api(moderation.counts, {})
  } catch (error) {
    if (error instanceof ApiError && error.status !== 401) return null
    throw error
  }
}
