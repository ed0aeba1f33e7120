import type { Tongue } from '#contract/items.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { TONGUES } from '#web/items/tongues.ts'
import { Chip } from '#web/ui/Chip.tsx'
import { Segment } from '#web/ui/Segment.tsx'

interface LanguageChipsProps {
  readonly chosen: Tongue | undefined
  /** The address of what is found in this language; undefined: in any. */
  readonly href: (language: Tongue | undefined) => string
}

/** Which language items are in, as links. Any other than the two of the site is shown only where it is asked for. */
export function LanguageChips({ chosen, href }: LanguageChipsProps) {
  const { t } = useText()
  const choices = [
    undefined,
    'en',
    'bg',
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
