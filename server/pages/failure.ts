/** The page for failed renders: no script, no data. */
import type { Locale } from '#contract/messages/messages.ts'
import type { Refusal } from '#server/kernel/errors.ts'
import { translate } from '#server/kernel/text/messages.ts'
import type { Assets } from '#contract/render.ts'

/** `refusal` is null for a bug. */
export function failurePage(locale: Locale, assets: Assets, refusal: Refusal | null): string {
  const title = translate(locale, isBusy(refusal) ? 'busyTitle' : 'errorTitle')
  const text =
    refusal === null
      ? translate(locale, 'somethingWrong')
      : translate(locale, refusal.key, refusal.values)
  const status = translate(locale, 'errorStatus', { status: String(refusal?.status ?? 500), text })
  const styles = assets.styles.map((href) => `<link rel="stylesheet" href="${href}">`).join('')
  return (
    `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>${title}</title>${styles}</head><body><main class="wrap stray"><h1>${title}</h1><p><strong>${status}</strong></p>` +
    `<p>${translate(locale, 'errorWhat')}</p><p><a href="">${translate(locale, 'errorRetry')}</a></p></main></body></html>`
  )
}

/** Returns true when a retry helps: there are too many requests, or a dependency is unavailable for a moment. */
const isBusy = (refusal: Refusal | null): boolean =>
  refusal !== null && [429, 503].includes(refusal.status)
