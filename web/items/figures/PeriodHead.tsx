import type { ReactNode } from 'react'
import { RANGES, type Figures, type FigureRange } from '#contract/figures.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { Chip } from '#web/ui/Chip.tsx'
import { Head } from '#web/ui/Head.tsx'
import { Segment } from '#web/ui/Segment.tsx'
import styles from './Figures.module.css'

interface PeriodHeadProps {
  readonly title: string
  readonly period: Pick<Figures, 'days' | 'to' | 'viewsSince' | 'from'>
  readonly href: (days: FigureRange) => string
  readonly children?: ReactNode
}

/** The title, how far the figures are counted, and links to other ranges. */
export function PeriodHead({ title, period, href, children }: PeriodHeadProps) {
  const { t, formatDate } = useText()
  const { days, from, to, viewsSince } = period
  const isPartly = from !== null && viewsSince !== null && viewsSince > from
  return (
    <>
      <Head title={title} as="h1">
        {to !== null && (
          <p className="quiet num">{t('economyCounted', { date: formatDate(to, 'UTC') })}</p>
        )}
      </Head>
      {children}
      <div className={styles.range}>
        <Segment label={t('authorRange')}>
          {RANGES.map((range) => (
            <Chip key={range} as={Link} to={href(range)} current={range === days}>
              {t('authorDays', { count: Number(range) })}
            </Chip>
          ))}
        </Segment>
        {isPartly && (
          <p className="quiet small">
            {t('authorViewsSince', { date: formatDate(viewsSince, 'UTC') })}
          </p>
        )}
      </div>
    </>
  )
}
