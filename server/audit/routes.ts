import { audit } from '#contract/audit.ts'
import { findRuns } from '#server/audit/store.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Core } from '#server/kernel/core.ts'
import { packageVersion } from '#server/kernel/version.ts'

export function routes({ db }: Core): Route[] {
  const version = packageVersion()
  return [route(audit.last, async () => ({ ...(await findRuns(db)), version }))]
}
