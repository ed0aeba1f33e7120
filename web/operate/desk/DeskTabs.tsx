import { useEffect, useRef } from 'react'
import type { MessageKey } from '#contract/messages/messages.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { to } from '#web/core/paths.ts'
import type { DeskCounts } from '#web/operate/desk/desk-counts.ts'
import { UndoLine } from '#web/operate/desk/UndoLine.tsx'
import styles from './Desk.module.css'

export type DeskTab =
  | 'people'
  | 'comments'
  | 'ratings'
  | 'flags'
  | 'bugs'
  | 'appeals'
  | 'log'
  | 'mails'
  | 'jobs'
  | 'economy'
  | 'audit'
  | 'backups'
  | 'videos'
  | 'settings'
  | 'webhooks'

const TABS: readonly (readonly [tab: DeskTab, path: string, name: MessageKey])[] = [
  ['people', to.people(), 'deskPeople'],
  ['comments', to.comments(), 'deskComments'],
  ['ratings', to.ratings(), 'ratings'],
  ['flags', to.flags(), 'deskFlags'],
  ['bugs', to.bugs(), 'deskBugs'],
  ['appeals', to.appeals(), 'deskAppeals'],
  ['log', to.log(), 'deskLog'],
  ['mails', to.mails(), 'deskMails'],
  ['jobs', to.jobs(), 'deskJobs'],
  ['economy', to.economy(), 'deskEconomy'],
  ['audit', to.audit(), 'deskAudit'],
  ['backups', to.backups(), 'deskBackups'],
  ['videos', to.videos(), 'deskVideos'],
  ['settings', to.settings(), 'deskSettings'],
  ['webhooks', to.webhooks(), 'deskWebhooks'],
]

interface DeskTabsProps {
  readonly here: DeskTab
  readonly counts: DeskCounts | null
}

export function DeskTabs({ here, counts }: DeskTabsProps) {
  const { t, formatNumber } = useText()
  const bar = useRef<HTMLElement>(null)
  useEffect(() => {
    // The tabs overflow on phones. `scrollIntoView` would scroll the page too.
    const link = bar.current?.querySelector<HTMLElement>('[aria-current]')
    bar.current?.scrollTo({ left: (link?.offsetLeft ?? 0) - 48, behavior: 'instant' })
  }, [here])
  return (
    <>
      <nav ref={bar} className={styles.deskTabs} aria-label={t('deskTabs')}>
        {TABS.map(([tab, path, name]) => {
          const waits = waitsOn(tab, counts)
          return (
            <Link key={tab} to={path} aria-current={tab === here ? 'page' : undefined}>
              {t(name)}
              {waits > 0 && (
                <>
                  {' '}
                  <b className="num" aria-hidden="true">
                    {formatNumber(waits)}
                  </b>
                  <span className="sr">{t('deskWaits', { count: waits })}</span>
                </>
              )}
            </Link>
          )
        })}
      </nav>
      <UndoLine />
    </>
  )
}

function waitsOn(tab: DeskTab, counts: DeskCounts | null): number {
  if (counts === null) return 0
  return Object.hasOwn(counts, tab) ? counts[tab as Exclude<keyof DeskCounts, 'version'>] : 0
}
