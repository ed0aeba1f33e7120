import { useEffect, useState } from 'react'
import { ROWS_PER_PAGE } from '#contract/limits.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { usePageData, useReload } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { TurnLinks } from '#web/items/list/PageLinks.tsx'
import { DeskFoot } from '#web/moderation/desk/DeskFoot.tsx'
import { DeskTabs } from '#web/moderation/desk/DeskTabs.tsx'
import { FailedJobs } from '#web/moderation/failures/FailedJobs.tsx'
import { JobCounts } from '#web/moderation/failures/JobCounts.tsx'
import type { loader } from '#web/moderation/JobsPage.data.ts'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Head } from '#web/ui/Head.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import styles from '#web/moderation/desk/Desk.module.css'

/** Milliseconds between two looks at the queue while the page is seen. */
const AGAIN_MS = 5000

/** The queue of jobs, for administrators: how it stands, and what failed. */
export default function JobsPage() {
  const { queue, page, counts } = usePageData<typeof loader>()
  const { t } = useText()
  const { failed, waiting, workers } = queue
  const [acts, setActs] = useState(false)
  useRenewal(!acts)
  return (
    <>
      <DeskTabs here="jobs" counts={counts} />
      <Head title={t('deskJobs')} as="h1">
        <p className="quiet num">
          {workers > 0 && t('jobsWorkers', { count: workers })}{' '}
          {waiting > 60 && t('jobsWaiting', { minutes: Math.floor(waiting / 60) })}
        </p>
      </Head>
      {workers === 0 && (
        <p className={styles.deskNote} role="note">
          <Icon name="warn" />
          <span>{t('jobsNoWorker')}</span>
        </p>
      )}
      {/* What failed wants something done, and that nothing has is soon read: the long table stands below it. */}
      <h2 className={styles.deskPart}>{t('jobsFailed')}</h2>
      {failed.length > 0 && <FailedJobs jobs={failed} onActing={setActs} />}
      {failed.length === 0 && page === 1 && (
        <Empty drawing="tray" title={t('jobsNoneFailed')}>
          {t('jobsNoneFailedHelp')}
        </Empty>
      )}
      {failed.length === 0 && page > 1 && (
        <Empty
          drawing="search"
          title={t('jobsNoMore')}
          step={
            <ButtonLink as={Link} to={to.jobs()}>
              {t('jobsFirstPage')}
            </ButtonLink>
          }
        />
      )}
      <TurnLinks
        page={page}
        more={failed.length === ROWS_PER_PAGE}
        href={(number) => to.jobs(number)}
      />
      {page === 1 && (
        <>
          <h2 className={styles.deskPart}>{t('jobsByState')}</h2>
          <JobCounts counts={queue.counts} />
        </>
      )}
      <DeskFoot counts={counts} />
    </>
  )
}

/** Looks again and again while somebody looks on and does nothing. */
function useRenewal(isOn: boolean): void {
  const reload = useReload()
  useEffect(() => {
    if (!isOn) return undefined
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void reload()
    }, AGAIN_MS)
    return () => clearInterval(timer)
  }, [isOn, reload])
}
