import { audit } from '#contract/audit.ts'
import { findRuns } from '#server/operate/audit/store.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'
import { packageVersion } from '#server/kernel/version.ts'

export function routes({ db }: Core): Route[] {
  const version = packageVersion()
  return [route(audit.last, async () => ({ ...(await findRuns(db)), version }))]
}
