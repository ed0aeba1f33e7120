import {
  COURSE_LESSONS,
  COURSE_PRICE,
  COURSE_REWARD,
  LESSON_PRICE,
  LESSON_REWARD,
} from '#contract/limits.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import { useHere } from '#web/core/here.ts'
import { Rich, useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { to } from '#web/core/paths.ts'
import { useSettings } from '#web/core/settings.ts'
import { Book } from '#web/ui/books/Book.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Ledger, LedgerCell, LedgerColumn, LedgerLine } from '#web/ui/points/Ledger.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Home.module.css'

/** An example of a first month. The balances are computed, so they cannot be wrong. */
const steps: readonly (readonly [key: MessageKey, amount: number, what: 'lesson' | 'course'])[] = [
  ['homeStep1', LESSON_REWARD, 'lesson'],
  ['homeStep2', -LESSON_PRICE, 'lesson'],
  ['homeStep3', LESSON_REWARD * (COURSE_LESSONS.min - 1), 'lesson'],
  ['homeStep4', COURSE_REWARD, 'course'],
  ['homeStep5', -COURSE_PRICE, 'course'],
]

/** Ends with the author's share if the site pays one. */
function linesOf(authorShare: number) {
  const share = Math.floor((LESSON_PRICE * authorShare) / 100)
  const all = share > 0 ? [...steps, ['homeStep6', share, 'lesson'] as const] : steps
  return all.map(([key, amount, what], place) => {
    const balance = all.slice(0, place + 1).reduce((sum, [, change]) => sum + change, 0)
    return { key, amount, balance, isCourse: what === 'course' }
  })
}

export function Explainer() {
  const { t, formatNumber } = useText()
  const here = useHere()
  const { authorShare } = useSettings()
  return (
    <section className={classes('wrap', styles.deal)} aria-labelledby="deal">
      <div>
        <h2 id="deal">{t('homeDealTitle')}</h2>
        <p>{t('homeDealText')}</p>
        <p>
          <ButtonLink as={Link} kind="main" big to={to.register(here)}>
            {t('homeDealRegister')}
          </ButtonLink>
        </p>
      </div>
      <div className={styles.scroll} tabIndex={0} role="region" aria-labelledby="deal-cap">
        <Ledger
          caption={t('homeMonth')}
          captionId="deal-cap"
          head={
            <>
              <LedgerColumn kind="t">
                <span className="sr">{t('homeCover')}</span>
              </LedgerColumn>
              <LedgerColumn>{t('homeWhat')}</LedgerColumn>
              <LedgerColumn kind="n">{t('homePoints')}</LedgerColumn>
              <LedgerColumn kind="n sum">{t('homeBalance')}</LedgerColumn>
            </>
          }
        >
          <tbody role="rowgroup">
            {linesOf(authorShare).map((line) => (
              <LedgerLine key={line.key}>
                <LedgerCell kind="t">
                  <Book
                    mini
                    course={line.isCourse}
                    seed={line.key}
                    picture={{ src: `/art/${line.isCourse ? 'shelf' : 'cover'}/${line.key}.svg` }}
                  />
                </LedgerCell>
                <LedgerCell>
                  <Rich id={line.key} components={{ i: <i className="serif" /> }} />
                </LedgerCell>
                <LedgerCell kind={line.amount > 0 ? 'n in' : 'n'}>
                  {line.amount > 0
                    ? `+${formatNumber(line.amount)}`
                    : `−${formatNumber(-line.amount)}`}
                </LedgerCell>
                <LedgerCell kind="n sum">{formatNumber(line.balance)}</LedgerCell>
              </LedgerLine>
            ))}
          </tbody>
        </Ledger>
      </div>
    </section>
  )
}
