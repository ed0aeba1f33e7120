import { useEffect } from 'react'
import { useText } from '#web/core/i18n.tsx'
import { usePageData, useReload } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { DeskPage } from '#web/operate/desk/DeskPage.tsx'
import { DeskRows } from '#web/operate/desk/DeskRows.tsx'
import { useSelection } from '#web/operate/desk/selection.ts'
import { FailedJobs } from '#web/operate/failures/FailedJobs.tsx'
import { JobCounts } from '#web/operate/failures/JobCounts.tsx'
import type { loader } from '#web/operate/failures/JobsPage.data.ts'
import { Empty } from '#web/ui/Empty.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import styles from '#web/operate/desk/Desk.module.css'

/** Interval in ms between two reloads while the page is visible. */
const AGAIN_MS = 5000

export default function JobsPage() {
  const { queue, page, counts } = usePageData<typeof loader>()
  const { t } = useText()
  const { failed, waiting, workers } = queue
  const selection = useSelection(failed)
  useRenewal(selection.ids.length === 0)
  return (
    <DeskPage
      here="jobs"
      title={t('deskJobs')}
      counts={counts}
      beside={
        <p className="quiet num">
          {workers > 0 && t('jobsWorkers', { count: workers })}{' '}
          {waiting > 60 && t('jobsWaiting', { minutes: Math.floor(waiting / 60) })}
        </p>
      }
    >
      {workers === 0 && (
        <p className={styles.deskNote} role="note">
          <Icon name="warn" />
          <span>{t('jobsNoWorker')}</span>
        </p>
      )}
      {/* Failed jobs come before the long table, because they need action. */}
      <h2 className={styles.deskPart}>{t('jobsFailed')}</h2>
      <DeskRows
        path={to.jobs()}
        count={failed.length}
        page={page}
        href={to.jobs}
        loading={t('jobsLoading')}
        nothing={
          <Empty drawing="tray" title={t('jobsNoneFailed')}>
            {t('jobsNoneFailedHelp')}
          </Empty>
        }
      >
        <FailedJobs jobs={failed} selection={selection} />
      </DeskRows>
      {page === 1 && (
        <>
          <h2 className={styles.deskPart}>{t('jobsByState')}</h2>
          <JobCounts counts={queue.counts} />
        </>
      )}
    </DeskPage>
  )
}

/** Reloads repeatedly, but not while rows are selected. */
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
