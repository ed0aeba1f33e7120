/** What a comment sounds like: one interface over the local model and a remote one. */
import type { Config } from '#server/kernel/config.ts'
import type { Log } from '#server/kernel/log.ts'
import {
  createRemote,
  REMOTE_SETTINGS,
  RemoteError,
  type RemoteSettings,
} from '#server/opinion/remote.ts'
import { judge as judgeLocally, type Opinion } from '#opinion'

export type Judge = (text: string, signal?: AbortSignal) => Promise<Opinion>

/** Failures in a row after which nobody is asked for a while. */
const FAILURES = 3
/** Milliseconds of that while. */
const BACKOFF_MS = 60_000

/** The remote judge; when it fails, the local one says so. A dead endpoint is left alone for a minute. */
function judgeWithRemote(remote: Judge, log: Log, now: () => number): Judge {
  let failures = 0
  let backoffUntil = 0
  return async (text, signal) => {
    const locally = (reason: string): Opinion => {
      const opinion = judgeLocally(text)
      return { ...opinion, model: `${opinion.model}, because ${reason}` }
    }
    if (now() < backoffUntil) return locally('the endpoint failed before')
    // Until this try is answered, the others stay local.
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

/** The judge of this configuration: the model at AI_URL with the local one behind it, or the local one alone. */
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
