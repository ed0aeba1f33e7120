import { figuresUrl } from '#contract/figures.ts'
import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import type { loader } from '#web/items/figures/AuthorPage.data.ts'
import { DayByDay } from '#web/items/figures/DayByDay.tsx'
import { ItemTable } from '#web/items/figures/ItemTable.tsx'
import { PeriodHead } from '#web/items/figures/PeriodHead.tsx'
import { Missed, Summary } from '#web/items/figures/Summary.tsx'
import { Totals } from '#web/items/figures/Totals.tsx'
import { PageLinks } from '#web/layout/paging/PageLinks.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Head } from '#web/ui/Head.tsx'
import styles from './Figures.module.css'

export default function AuthorPage() {
  const figures = usePageData<typeof loader>()
  const { t } = useText()
  const { days, from, count, page, pages } = figures
  if (count === 0 && figures.rows.length === 0) return <NewAuthor />
  return (
    <>
      <PeriodHead title={t('navStatistics')} period={figures} href={(range) => to.author(range)} />
      {from === null ? (
        <Empty drawing="account" title={t('economyNone')}>
          {t('economyNoneHelp')}
        </Empty>
      ) : (
        <>
          <Summary figures={figures} />
          <Totals period={figures} />
          <DayByDay period={figures} />
        </>
      )}
      <h2 className={styles.part}>{t('authorItems')}</h2>
      <ItemTable items={figures.items} days={days} />
      <PageLinks page={page} pages={pages} href={(number) => to.author(days, number)} />
      <div className={styles.end}>
        <ButtonLink as="a" icon="down" href={figuresUrl(days)} download>
          {t('authorDownload')}
        </ButtonLink>
        <p className="quiet small">{t('authorNobodyNamed')}</p>
      </div>
    </>
  )
}

/** What will be here, and what to do first. */
function NewAuthor() {
  const { t } = useText()
  const { missed } = usePageData<typeof loader>()
  return (
    <>
      <Head title={t('navStatistics')} as="h1" />
      <Empty
        drawing="account"
        title={t('authorEmpty')}
        step={
          <ButtonLink as={Link} kind="main" to={to.createLesson()}>
            {t('navCreateLesson')}
          </ButtonLink>
        }
      >
        {t('authorEmptyWhat')}
      </Empty>
      {missed.length > 0 && (
        <div className={styles.summary}>
          <Missed missed={missed} />
        </div>
      )}
    </>
  )
}
