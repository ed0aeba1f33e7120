import {
  type BandCounts,
  CAPTION_LANGUAGES,
  type CaptionLanguage,
  FILTERS,
} from '#contract/items.ts'
import { BANDS, type Band } from '#contract/limits.ts'
import { isLocale } from '#contract/messages/messages.ts'
import { NUMBERS, sortsOf, type BandOf } from '#contract/numbers.ts'
import type { ItemKind } from '#contract/points.ts'
import type * as z from 'zod/mini'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import type { ListQuery } from '#web/core/paths.ts'
import { type Chosen, choicesOf } from '#web/items/shared/list/list-words.ts'
import { languageName } from '#web/items/shared/caption-language.ts'
import { LanguageChips } from '#web/items/shared/LanguageChips.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Chip } from '#web/ui/Chip.tsx'
import { Drawer, DrawerOpener } from '#web/ui/Drawer.tsx'
import { Segment } from '#web/ui/Segment.tsx'
import styles from '#web/ui/styles/Drawer.module.css'

const BAND_NUMBERS = [0, 1, 2, 3] as const
/** The server counts search results only up to this number. */
const COUNTED = 1000

/** A row of chips: the counted number, and how many items each band holds. */
export type BandChips = readonly [name: BandOf, counts: z.infer<typeof BandCounts>]

interface ListFiltersProps {
  readonly query: Chosen
  readonly kind: ItemKind
  readonly bands: readonly BandChips[]
  readonly href: (query: ListQuery) => string
  /** The label of the drawer's button, such as "Show 12 lessons". */
  readonly show: string
}

/**
 * Sort order and bands are links, so that they work without scripts and have addresses. Words and numbers have
 * separate rows, both much narrower than the page: a full row would wrap differently once the web font has loaded.
 */
export function ListFilters(props: ListFiltersProps) {
  const { query, kind, bands, href, show } = props
  const { t } = useText()
  return (
    <>
      <DrawerOpener target="filters">
        {t('sortAndFilter', { count: choicesOf(query) })}
      </DrawerOpener>
      <Drawer id="filters" className={styles.filters}>
        <div className={styles.filterRow}>
          <Segment label={t('sortBy')}>
            {([...sortsOf(kind), 'none'] as const).map((sort) => (
              <Chip
                key={sort}
                as={Link}
                to={href({ ...query, sort, page: 1 })}
                current={query.sort === sort}
                preventScrollReset
              >
                {t(sort === 'none' ? 'sortNone' : NUMBERS[sort].name)}
              </Chip>
            ))}
          </Segment>
          {'free' in FILTERS[kind] && (
            <Segment label={t('freeFilter')}>
              {([undefined, '1'] as const).map((free) => (
                <Chip
                  key={free ?? 'any'}
                  as={Link}
                  to={href({ ...query, free, page: 1 })}
                  current={query.free === free}
                  preventScrollReset
                >
                  {t(free === undefined ? 'freeAny' : 'freePreview')}
                </Chip>
              ))}
            </Segment>
          )}
          <LanguageChips
            chosen={query.language}
            href={(language) => href({ ...query, language, page: 1 })}
          />
          {'captions' in FILTERS[kind] && (
            <CaptionChips
              chosen={query.captions}
              href={(captions) => href({ ...query, captions, page: 1 })}
            />
          )}
        </div>
        <div className={styles.filterRow}>
          {bands.map(([name, counts]) => (
            <Bands
              key={name}
              name={name}
              counts={counts}
              chosen={query[name] ?? 0}
              href={(band) => href({ ...query, [name]: band, page: 1 })}
            />
          ))}
        </div>
        <div className={styles.sheetEnd}>
          <Button kind="main" popoverTarget="filters">
            {show}
          </Button>
          <ButtonLink as={Link} to={href({ search: query.search, owner: query.owner })}>
            {t('clear')}
          </ButtonLink>
        </div>
      </Drawer>
    </>
  )
}

interface CaptionChipsProps {
  readonly chosen: CaptionLanguage | undefined
  readonly href: (language: CaptionLanguage | undefined) => string
}

/** A language other than the site's own appears only while it is chosen. */
function CaptionChips({ chosen, href }: CaptionChipsProps) {
  const { t, locale } = useText()
  const shown = CAPTION_LANGUAGES.filter((code) => isLocale(code) || code === chosen)
  return (
    <Segment label={t('captions')}>
      {[undefined, ...shown].map((language) => (
        <Chip
          key={language ?? 'any'}
          as={Link}
          to={href(language)}
          current={chosen === language}
          preventScrollReset
        >
          {language === undefined ? t('languageAny') : languageName(locale, language)}
        </Chip>
      ))}
    </Segment>
  )
}

interface BandsProps {
  readonly name: BandOf
  readonly counts: z.infer<typeof BandCounts>
  readonly chosen: Band
  readonly href: (band: Band) => string
}

function Bands({ name, counts, chosen, href }: BandsProps) {
  const { t, formatNumber } = useText()
  const words = (band: Band) => {
    if (band === 0) return t('bandAny')
    const { min, max } = BANDS[band]
    return max === null ? `${formatNumber(min)}+` : `${min}–${max}`
  }
  return (
    <Segment label={t(NUMBERS[name].name)}>
      {BAND_NUMBERS.map((band) => {
        const count = band === 0 ? counts.any : counts[band]
        return (
          <Chip
            key={band}
            as={Link}
            to={href(band)}
            current={chosen === band}
            none={count === 0 && chosen !== band}
            count={count === null ? `${formatNumber(COUNTED)}+` : formatNumber(count)}
            preventScrollReset
          >
            {words(band)}
          </Chip>
        )
      })}
    </Segment>
  )
}
