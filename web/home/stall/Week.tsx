import type { ReactNode } from 'react'
import type { Stall } from '#contract/home.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import styles from './StallStrip.module.css'

/** Covers the last seven days. */
export function Week({ week }: { readonly week: Stall['week'] }) {
  const { t } = useText()
  const { views, unlocks, comments, unread } = week
  return (
    <section className={styles.week} aria-labelledby="stall-week">
      <h2 id="stall-week">{t('stallWeek')}</h2>
      <ul>
        <Figure many={views}>{t('stallViews', { count: views })}</Figure>
        <Figure many={unlocks}>{t('stallUnlocks', { count: unlocks })}</Figure>
        <Figure many={comments}>
          <Link to={to.yourLessons()}>{t('stallComments', { count: comments })}</Link>
        </Figure>
        <Figure many={unread}>
          <Link to={to.userCenter()}>{t('stallUnread', { count: unread })}</Link>
        </Figure>
        <li>
          <Link to={to.author('7')}>{t('navStatistics')}</Link>
        </li>
      </ul>
    </section>
  )
}

function Figure({ many, children }: { readonly many: number; readonly children: ReactNode }) {
  const { formatNumber } = useText()
  if (many === 0) return null
  return (
    <li>
      <b>{formatNumber(many)}</b> {children}
    </li>
  )
}
