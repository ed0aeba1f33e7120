import { LOCALES } from '#contract/messages/messages.ts'
import type { Tongue } from '#contract/items.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { TONGUES } from '#web/items/shared/tongues.ts'
import { Chip } from '#web/ui/Chip.tsx'
import { Segment } from '#web/ui/Segment.tsx'

interface LanguageChipsProps {
  readonly chosen: Tongue | undefined
  /** Returns the list's address for a language; undefined means any language. */
  readonly href: (language: Tongue | undefined) => string
}

/** Links to the items of one language. A language other than the site's own appears only while it is chosen. */
export function LanguageChips({ chosen, href }: LanguageChipsProps) {
  const { t } = useText()
  const choices = [
    undefined,
    ...LOCALES,
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
          {t(language === undefined ? 'languageAny' : TONGUES[language])}
        </Chip>
      ))}
    </Segment>
  )
}
