/** What a comment sounds like: one interface over the local model and a remote one. */
import type { Prediction } from '#contract/comments.ts'
import type { Config } from '#server/kernel/config.ts'
import type { Log } from '#server/kernel/log.ts'

export interface Opinion {
  readonly label: Prediction
  /** 0 to 1. */
  readonly confidence: number
  /** The words of the text that decided, as they stand in it. */
  readonly why: readonly string[]
  readonly language: 'en' | 'bg' | null
  /** Name and version of who judged. */
  readonly model: string
}

export type Judge = (text: string, signal?: AbortSignal) => Promise<Opinion>

export function createJudge(
  _config: Pick<Config, 'AI_URL' | 'AI_MODEL' | 'AI_KEY'>,
  _log: Log,
): Judge {
  return async () => ({ label: 'UNKNOWN', confidence: 0, why: [], language: null, model: 'none' })
}
