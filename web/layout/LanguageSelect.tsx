import { LOCALES, type Locale } from '#contract/messages/messages.ts'
import { useText } from '#web/core/i18n.tsx'
import { useLocaleSwitch } from '#web/layout/locale-switch.ts'
import { classes } from '#web/ui/classes.ts'

/** Each language in its own words. */
const NAMES: Readonly<Record<Locale, string>> = { en: 'English', bg: 'Български' }

export function LanguageSelect({ className }: { readonly className?: string | undefined }) {
  const { t, locale } = useText()
  const change = useLocaleSwitch()
  return (
    <select
      className={classes('lang', className)}
      aria-label={t('language')}
      value={locale}
      onChange={(event) => void change(event.target.value === 'bg' ? 'bg' : 'en')}
    >
      {LOCALES.map((code) => (
        <option key={code} value={code} lang={code}>
          {NAMES[code]}
        </option>
      ))}
    </select>
  )
}
