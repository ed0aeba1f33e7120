/** Judges the sentiment of a text with the local model or a remote one. */
import type { Config } from '#server/kernel/config.ts'
import type { Log } from '#server/kernel/log.ts'
import {
  createRemote,
  REMOTE_SETTINGS,
  RemoteError,
  type RemoteSettings,
} from '#server/people/opinion/remote.ts'
import { judge as judgeLocally, type Opinion } from '#opinion'

export type Judge = (text: string, signal?: AbortSignal) => Promise<Opinion>

/** Consecutive failures that trigger the backoff. */
const FAILURES = 3
/** Backoff in ms. */
const BACKOFF_MS = 60_000

/** Uses the remote judge and falls back to the local one. A failing endpoint is not contacted for a minute. */
function judgeWithRemote(remote: Judge, log: Log, now: () => number): Judge {
  let failures = 0
  let backoffUntil = 0
  return async (text, signal) => {
    const locally = (reason: string): Opinion => {
      const opinion = judgeLocally(text)
      return { ...opinion, model: `${opinion.model}, because ${reason}` }
    }
    if (now() < backoffUntil) return locally('the endpoint failed before')
    // Until this attempt succeeds, other texts use the local judge.
    if (failures >= FAILURES) backoffUntil = now() + BACKOFF_MS
    try {
      const opinion = await remote(text, signal)
      failures = 0
      backoffUntil = 0
      return opinion
    } catch (error) {
      signal?.throwIfAborted()
      const reason = error instanceof RemoteError ? error.message : 'the endpoint failed'
      failures += 1
      if (failures >= FAILURES) backoffUntil = now() + BACKOFF_MS
      log.warn({ reason, failures }, 'no remote opinion')
      return locally(reason)
    }
  }
}

/**
 * Returns the judge for the configuration: the model at AI_URL with the local one as fallback, or only the local
 * one.
 */
export function createJudge(
  config: Pick<Config, 'AI_URL' | 'AI_MODEL' | 'AI_KEY'>,
  log: Log,
  settings: RemoteSettings = REMOTE_SETTINGS,
  now: () => number = Date.now,
): Judge {
  if (config.AI_URL === undefined) return (text) => Promise.resolve(judgeLocally(text))
  const model = config.AI_MODEL ?? 'default'
  return judgeWithRemote(
    createRemote({ url: config.AI_URL, model, key: config.AI_KEY }, settings),
    log,
    now,
  )
}
