import { DETECTED_LANGUAGES, type ItemLanguage } from '#contract/items.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { LANGUAGE_NAMES } from '#web/items/shared/item-languages.ts'
import { Chip } from '#web/ui/Chip.tsx'
import { Segment } from '#web/ui/Segment.tsx'

interface LanguageChipsProps {
  readonly chosen: ItemLanguage | undefined
  /** Returns the list's address for a language; undefined means any language. */
  readonly href: (language: ItemLanguage | undefined) => string
}

/** Links to the items of one language. A language other than the site's own appears only while it is chosen. */
export function LanguageChips({ chosen, href }: LanguageChipsProps) {
  const { t } = useText()
  const choices = [
    undefined,
    ...DETECTED_LANGUAGES,
    ...(chosen === 'other' ? ['other' as const] : []),
  ] as const
  return (
    <Segment label={t('language')}>
      {choices.map((language) => (
        <Chip
          key={language ?? 'any'}
          as={Link}
          to={href(language)}
          current={chosen === language}
          preventScrollReset
        >
          {t(language === undefined ? 'languageAny' : LANGUAGE_NAMES[language])}
        </Chip>
      ))}
    </Segment>
  )
}
