import type { ReactNode } from 'react'
import type { CommentCounts } from '#contract/comments.ts'
import { EXACT_TOTAL } from '#contract/limits.ts'
import type { DeskQuery } from '#web/core/paths.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { type Opinion, OPINION_ORDER, OPINIONS } from '#web/operate/moderation/comments/opinions.ts'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Chip } from '#web/ui/Chip.tsx'
import { Drawer, DrawerOpener } from '#web/ui/Drawer.tsx'
import { Segment } from '#web/ui/Segment.tsx'
import styles from '#web/ui/styles/Drawer.module.css'

interface OpinionFiltersProps {
  readonly query: { readonly label?: Opinion | undefined; readonly deleted: boolean }
  /** The number of active filters. */
  readonly choices: number
  /** Number of items by opinion. Null means too many to count. */
  readonly labels: CommentCounts
  /** A text search is active. For a frequent word only the chosen opinion is counted, in the page's head. */
  readonly searches?: boolean | undefined
  /** Label of the drawer's button, such as "Show 12 comments". */
  readonly show: string
  readonly hrefOf: (change: DeskQuery) => string
  /** The URL without filters. */
  readonly cleared: string
  /** Rendered between the opinions and the choice of deleted items. */
  readonly middle?: ReactNode
  readonly children?: ReactNode
}

/** Links, so that the filters work without JavaScript. */
export function OpinionFilters(props: OpinionFiltersProps) {
  const { query, choices, labels, searches = false, show, hrefOf, cleared, middle } = props
  const { t, formatNumber } = useText()
  const { label, deleted } = query
  const numberOf = (count: number | null) => {
    if (count !== null) return formatNumber(count)
    return searches ? undefined : `${formatNumber(EXACT_TOTAL)}+`
  }
  return (
    <>
      <DrawerOpener target="filters">{t('deskFilter', { count: choices })}</DrawerOpener>
      <Drawer id="filters" className={styles.filters}>
        <Segment label={t('deskOpinion')}>
          <Chip
            as={Link}
            to={hrefOf({ label: undefined })}
            current={label === undefined}
            count={numberOf(labels.ALL)}
          >
            {t('bandAny')}
          </Chip>
          {OPINION_ORDER.map((opinion) => (
            <Chip
              key={opinion}
              as={Link}
              to={hrefOf({ label: opinion })}
              current={label === opinion}
              none={labels[opinion] === 0 && label !== opinion}
              count={numberOf(labels[opinion])}
            >
              {t(OPINIONS[opinion].name)}
            </Chip>
          ))}
        </Segment>
        {middle}
        <Segment label={t('deskShow')}>
          <Chip as={Link} to={hrefOf({ deleted: undefined })} current={!deleted}>
            {t('deskShowPresent')}
          </Chip>
          <Chip as={Link} to={hrefOf({ deleted: 'on' })} current={deleted}>
            {t('deskShowDeleted')}
          </Chip>
        </Segment>
        {props.children}
        <div className={styles.sheetEnd}>
          <Button kind="main" popoverTarget="filters">
            {show}
          </Button>
          <ButtonLink as={Link} to={cleared}>
            {t('clear')}
          </ButtonLink>
        </div>
      </Drawer>
    </>
  )
}
