/** Accepts requests that rely on a cookie, and forms without scripts, only from our own pages. */
import type { CallContext } from '#server/kernel/call.ts'
import { forbidden } from '#server/kernel/errors.ts'

/** @throws Refusal 403 unless the Origin is the public address or the host that was called */
export function refuseForeign(
  { origin, host }: Pick<CallContext, 'origin' | 'host'>,
  publicUrl: string,
): void {
  const isOurs =
    origin !== undefined &&
    (origin === publicUrl || (URL.canParse(origin) && new URL(origin).host === host))
  if (!isOurs) throw forbidden('foreignOrigin')
}
