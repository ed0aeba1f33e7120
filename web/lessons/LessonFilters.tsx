import { Link } from 'react-router'
import type { BandCounts, Sort } from '#contract/items.ts'
import type { LessonPage, LessonQuery } from '#contract/lessons.ts'
import { BANDS, type Band } from '#contract/limits.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import type * as z from 'zod/mini'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { choicesOf } from '#web/lessons/list-words.ts'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Chip } from '#web/ui/Chip.tsx'
import { Drawer, DrawerOpener } from '#web/ui/Drawer.tsx'
import { Segment } from '#web/ui/Segment.tsx'

const SORTS: readonly (readonly [Sort, MessageKey])[] = [
  ['likes', 'likes'],
  ['views', 'views'],
  ['comments', 'comments'],
  ['none', 'sortNone'],
]
const BAND_NUMBERS = [0, 1, 2, 3] as const
/** Counting with a search term ends here. */
const COUNTED = 1000

interface LessonFiltersProps {
  readonly query: LessonQuery
  readonly list: LessonPage
}

/** Sort and bands as links, so that they work without script and have an address. */
export function LessonFilters({ query, list }: LessonFiltersProps) {
  const { t, formatNumber } = useText()
  const show = list.more
    ? t('showLessonsMany', { total: `${formatNumber(list.total)}+` })
    : t('showLessons', { total: list.total })
  return (
    <>
      <DrawerOpener target="filters">
        {t('sortAndFilter', { count: choicesOf(query) })}
      </DrawerOpener>
      <Drawer id="filters" className="filters">
        <Segment label={t('sortBy')}>
          {SORTS.map(([sort, label]) => (
            <Chip
              key={sort}
              as={Link}
              to={to.lessons({ ...query, sort, page: 1 })}
              current={query.sort === sort}
              preventScrollReset
            >
              {t(label)}
            </Chip>
          ))}
        </Segment>
        <Bands name="views" query={query} counts={list.counts.views} />
        <Bands name="likes" query={query} counts={list.counts.likes} />
        <div className="sheet-end">
          <Button kind="main" popoverTarget="filters">
            {show}
          </Button>
          <ButtonLink as={Link} to={to.lessons({ search: query.search, owner: query.owner })}>
            {t('clear')}
          </ButtonLink>
        </div>
      </Drawer>
    </>
  )
}

interface BandsProps {
  readonly name: 'views' | 'likes'
  readonly query: LessonQuery
  readonly counts: z.infer<typeof BandCounts>
}

function Bands({ name, query, counts }: BandsProps) {
  const { t, formatNumber } = useText()
  const words = (band: Band) => {
    if (band === 0) return t('bandAny')
    const { min, max } = BANDS[band]
    return max === null ? `${formatNumber(min)}+` : `${min}–${max}`
  }
  return (
    <Segment label={t(name)}>
      {BAND_NUMBERS.map((band) => {
        const count = band === 0 ? counts.any : counts[band]
        return (
          <Chip
            key={band}
            as={Link}
            to={to.lessons({ ...query, [name]: band, page: 1 })}
            current={query[name] === band}
            none={count === 0 && query[name] !== band}
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
