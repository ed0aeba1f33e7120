/** What a cookie, or a form without script, may ask for is asked by our own pages only. */
import type { CallContext } from '#server/kernel/call.ts'
import { forbidden } from '#server/kernel/errors.ts'

/** @throws Refusal 403 unless the Origin is ours, under the public address or the one that was called */
export function refuseForeign(
  { origin, host }: Pick<CallContext, 'origin' | 'host'>,
  publicUrl: string,
): void {
  const isOurs =
    origin !== undefined &&
    (origin === publicUrl || (URL.canParse(origin) && new URL(origin).host === host))
  if (!isOurs) throw forbidden('foreignOrigin')
}
