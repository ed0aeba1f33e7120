import { LANGUAGES, localeOf } from '#contract/messages/messages.ts'
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
      {Object.entries(LANGUAGES).map(([code, { name }]) => (
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </select>
  )
}
