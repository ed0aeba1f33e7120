import { FEWEST_COUNTED, type ItemFigures } from '#contract/figures.ts'
import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { DayByDay } from '#web/items/figures/DayByDay.tsx'
import type { loader } from '#web/items/figures/ItemFiguresPage.data.ts'
import { PeriodHead } from '#web/items/figures/PeriodHead.tsx'
import { Totals } from '#web/items/figures/Totals.tsx'
import { WatchCurve } from '#web/items/figures/WatchCurve.tsx'
import { Ledger, LedgerCell, LedgerColumn, LedgerLine } from '#web/ui/points/Ledger.tsx'
import styles from './Figures.module.css'

export default function ItemFiguresPage() {
  const figures = usePageData<typeof loader>()
  const { t, formatNumber } = useText()
  const { kind, id, title, allViews, curve, check } = figures
  const isLesson = kind === 'lesson'
  return (
    <>
      <PeriodHead title={title} period={figures} href={(range) => to.authorItem(kind, id, range)}>
        <p className={styles.links}>
          <Link to={to.author(figures.days)}>{t('authorAll')}</Link>
          {' · '}
          <Link to={isLesson ? to.lesson(id) : to.course(id)}>
            {t(isLesson ? 'kindLesson' : 'kindCourse')}
          </Link>
          {allViews !== null && (
            <>
              {' · '}
              <span className="quiet num">
                {t('authorAllViews', { count: allViews, text: formatNumber(allViews) })}
              </span>
            </>
          )}
        </p>
      </PeriodHead>
      <Totals period={figures} hasViews={isLesson} />
      <DayByDay period={figures} hasViews={isLesson} />
      {isLesson && (
        <>
          <h2 className={styles.part}>{t('authorCurve')}</h2>
          {curve === null ? (
            <p className="quiet">{t('authorCurveNone', { least: FEWEST_COUNTED })}</p>
          ) : (
            <WatchCurve curve={curve} />
          )}
          <h2 className={styles.part}>{t('checkLabel')}</h2>
          {check === null ? (
            <p className="quiet">{t('authorCheckNone', { least: FEWEST_COUNTED })}</p>
          ) : (
            <CheckShares check={check} />
          )}
        </>
      )}
    </>
  )
}

function CheckShares({ check }: { readonly check: NonNullable<ItemFigures['check']> }) {
  const { t } = useText()
  const { attempts, passed, questions } = check
  return (
    <>
      <p className={styles.before}>{t('checkAttempts', { total: attempts, passed })}</p>
      <Ledger
        caption={t('checkLabel')}
        hideCaption
        head={
          <>
            <LedgerColumn>{t('authorQuestion')}</LedgerColumn>
            <LedgerColumn kind="n">{t('checkShare')}</LedgerColumn>
          </>
        }
      >
        <tbody role="rowgroup">
          {questions.map(({ text, right }) => (
            <LedgerLine key={text}>
              <LedgerCell>
                <span lang={textLanguage(text)} dir="auto">
                  {text}
                </span>
              </LedgerCell>
              <LedgerCell kind="n">
                {t('checkQuestionRight', { right, total: attempts })}
              </LedgerCell>
            </LedgerLine>
          ))}
        </tbody>
      </Ledger>
    </>
  )
}
