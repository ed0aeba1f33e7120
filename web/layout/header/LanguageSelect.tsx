import { LANGUAGES, LOCALES, localeOf } from '#contract/messages/messages.ts'
import { useText } from '#web/core/i18n.tsx'
import { useLocaleSwitch } from '#web/layout/header/locale-switch.ts'
import { classes } from '#web/ui/classes.ts'
import styles from './Header.module.css'

interface LanguageSelectProps {
  readonly className?: string | undefined
  readonly labelled?: boolean | undefined
}

/** Changes the page's language without a reload. */
export function LanguageSelect({ className, labelled }: LanguageSelectProps) {
  const { t, locale } = useText()
  const change = useLocaleSwitch()
  return (
    <select
      className={classes(!labelled && styles.lang, className)}
      aria-label={labelled ? undefined : t('language')}
      value={locale}
      onChange={(event) => void change(localeOf(event.target.value))}
    >
      {LOCALES.map((code) => (
        <option key={code} value={code} lang={code}>
          {LANGUAGES[code].name}
        </option>
      ))}
    </select>
  )
}
