import type { ReactNode } from 'react'
import type { Stall } from '#contract/home.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import styles from './StallStrip.module.css'

/** What has happened to one's own items in the last seven days, and what waits for an answer. */
export function Week({ week }: { readonly week: Stall['week'] }) {
  const { t, formatNumber } = useText()
  const { views, unlocks, comments, unread } = week
  return (
    <section aria-labelledby="stall-week">
      <h2 id="stall-week">{t('stallWeek')}</h2>
      <ul className={styles.figures}>
        <Figure shown={formatNumber(views)}>{t('stallViews', { count: views })}</Figure>
        <Figure shown={formatNumber(unlocks)}>{t('stallUnlocks', { count: unlocks })}</Figure>
        <Figure shown={formatNumber(comments)}>
          <Link to={to.yourLessons()}>{t('stallComments', { count: comments })}</Link>
        </Figure>
        <Figure shown={formatNumber(unread)}>
          <Link to={to.userCenter()}>{t('stallUnread', { count: unread })}</Link>
        </Figure>
      </ul>
    </section>
  )
}

function Figure({ shown, children }: { readonly shown: string; readonly children: ReactNode }) {
  return (
    <li>
      <b>{shown}</b> {children}
    </li>
  )
}
