import type { ReactNode } from 'react'
import type { CommentCounts } from '#contract/comments.ts'
import { EXACT_TOTAL } from '#contract/limits.ts'
import type { DeskQuery } from '#web/core/paths.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { type Opinion, OPINION_ORDER, OPINIONS } from '#web/moderation/comments/opinions.ts'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Chip } from '#web/ui/Chip.tsx'
import { Drawer, DrawerOpener } from '#web/ui/Drawer.tsx'
import { Segment } from '#web/ui/Segment.tsx'
import styles from '#web/ui/styles/Drawer.module.css'

interface OpinionFiltersProps {
  readonly query: { readonly label?: Opinion | undefined; readonly deleted: boolean }
  /** How many filters are set. */
  readonly choices: number
  /** How many each opinion has; null: too many to count. */
  readonly labels: CommentCounts
  /** Some words are everywhere: of them only the chosen opinion is counted, and the page's head says it. */
  readonly searches?: boolean | undefined
  /** On the drawer's button: "Show 12 comments". */
  readonly show: string
  /** The address of the first page with these choices. */
  readonly hrefOf: (change: DeskQuery) => string
  /** Without any filter. */
  readonly cleared: string
  /** Between the opinions and what is shown. */
  readonly middle?: ReactNode
  readonly children?: ReactNode
}

/** Opinion, present or deleted: links, so that they work without script. */
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
