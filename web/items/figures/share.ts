import { type Locale, tagOf } from '#contract/messages/messages.ts'
import { useText } from '#web/core/i18n.tsx'

const formats = new Map<Locale, Intl.NumberFormat>()

/** 0.3 %: few of those who view something unlock it. */
export function useShare(): (share: number) => string {
  const { locale } = useText()
  const known = formats.get(locale)
  const format =
    known ?? new Intl.NumberFormat(tagOf(locale), { style: 'percent', maximumFractionDigits: 1 })
  if (known === undefined) formats.set(locale, format)
  return (share) => format.format(share)
}
