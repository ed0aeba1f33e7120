import type { CommentCounts } from '#contract/comments.ts'
import { EXACT_TOTAL } from '#contract/limits.ts'
import type { RatingsQuery } from '#contract/ratings.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { type DeskQuery, to } from '#web/core/paths.ts'
import { OPINION_ORDER, OPINIONS } from '#web/moderation/comments/opinions.ts'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Chip } from '#web/ui/Chip.tsx'
import { Drawer, DrawerOpener } from '#web/ui/Drawer.tsx'
import { Segment } from '#web/ui/Segment.tsx'
import styles from '#web/ui/styles/Drawer.module.css'

interface RatingFiltersProps {
  readonly query: RatingsQuery
  /** How many ratings each opinion has; null: too many to count. */
  readonly labels: CommentCounts
  /** On the drawer's button: "Show 12 ratings". */
  readonly show: string
}

/** The address of the first page with these choices. */
export function addressOf({ label, deleted }: RatingsQuery, change: DeskQuery = {}): string {
  return to.ratings({ label, deleted: deleted ? 'on' : undefined, ...change })
}

/** Opinion, present or deleted: links, so that they work without script. */
export function RatingFilters({ query, labels, show }: RatingFiltersProps) {
  const { t, formatNumber } = useText()
  const { label, deleted } = query
  const numberOf = (count: number | null) =>
    count === null ? `${formatNumber(EXACT_TOTAL)}+` : formatNumber(count)
  return (
    <>
      <DrawerOpener target="filters">
        {t('deskFilter', { count: label === undefined ? 0 : 1 })}
      </DrawerOpener>
      <Drawer id="filters" className={styles.filters}>
        <Segment label={t('deskOpinion')}>
          <Chip
            as={Link}
            to={addressOf(query, { label: undefined })}
            current={label === undefined}
            count={numberOf(labels.ALL)}
          >
            {t('bandAny')}
          </Chip>
          {OPINION_ORDER.map((opinion) => (
            <Chip
              key={opinion}
              as={Link}
              to={addressOf(query, { label: opinion })}
              current={label === opinion}
              none={labels[opinion] === 0 && label !== opinion}
              count={numberOf(labels[opinion])}
            >
              {t(OPINIONS[opinion].name)}
            </Chip>
          ))}
        </Segment>
        <Segment label={t('deskShow')}>
          <Chip as={Link} to={addressOf(query, { deleted: undefined })} current={!deleted}>
            {t('deskShowPresent')}
          </Chip>
          <Chip as={Link} to={addressOf(query, { deleted: 'on' })} current={deleted}>
            {t('deskShowDeleted')}
          </Chip>
        </Segment>
        <div className={styles.sheetEnd}>
          <Button kind="main" popoverTarget="filters">
            {show}
          </Button>
          <ButtonLink as={Link} to={to.ratings({ deleted: deleted ? 'on' : undefined })}>
            {t('clear')}
          </ButtonLink>
        </div>
      </Drawer>
    </>
  )
}
