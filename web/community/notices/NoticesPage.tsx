import { useEffect, useRef, useState } from 'react'
import { notices as calls } from '#contract/notices.ts'
import { api } from '#web/core/api.ts'
import { useText } from '#web/core/i18n.tsx'
import { setNoticeCount, useNoticeCount } from '#web/core/notice-count.ts'
import { usePageData, useReload } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { useSlowWait } from '#web/core/router/slow-wait.ts'
import { PageLinks } from '#web/layout/paging/PageLinks.tsx'
import { groupNotices } from '#web/community/notices/notice-groups.ts'
import { NoticeLine } from '#web/community/notices/NoticeLine.tsx'
import type { loader } from '#web/community/notices/NoticesPage.data.ts'
import { useSeen } from '#web/community/notices/use-seen.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Head } from '#web/ui/Head.tsx'
import { RowSkeleton } from '#web/ui/Skeleton.tsx'
import styles from './Notices.module.css'

/** Notices count as read after they were visible for a moment. */
export default function NoticesPage() {
  const { page, pages, total, notices, asOf } = usePageData<typeof loader>()
  const { t } = useText()
  const waits = useSlowWait(to.notices())
  const unread = useNoticeCount()
  const list = useRef<HTMLOListElement>(null)
  useSeen(list, asOf)
  if (total === 0)
    return (
      <div className={styles.told}>
        <Head className={styles.head} title={t('noticesTitle')} as="h1" end={<Ways />} />
        <Arrived asOf={asOf} />
        <Empty
          drawing="tray"
          title={t('noticesNone')}
          step={
            <ButtonLink as={Link} kind="main" to={to.createLesson()}>
              {t('navCreateLesson')}
            </ButtonLink>
          }
        >
          {t('noticesNoneWhat')}
        </Empty>
      </div>
    )
  return (
    <div className={styles.told}>
      <Head className={styles.head} title={t('noticesTitle')} as="h1" end={<Ways />}>
        <p className="quiet num" role="status">
          {t('noticesUnread', { count: unread })}
        </p>
      </Head>
      <Arrived asOf={asOf} />
      <ReadAll asOf={asOf} among={notices.some(({ read }) => !read)} />
      {waits && <RowSkeleton label={t('noticesLoading')} />}
      {!waits && (
        <ol ref={list} className={styles.notices}>
          {groupNotices(notices).map((notice) => (
            <NoticeLine key={notice.id} notice={notice} />
          ))}
        </ol>
      )}
      <PageLinks page={page} pages={pages} href={to.notices} />
    </div>
  )
}

function Ways() {
  const { t } = useText()
  return <Link to={to.noticeWays()}>{t('noticesHow')}</Link>
}

/** Offers to show new notices instead of inserting them, because the page must not move under the pointer. */
function Arrived({ asOf }: { readonly asOf: string }) {
  const { t } = useText()
  const reload = useReload()
  const unread = useNoticeCount()
  const [least, setLeast] = useState({ asOf, unread })
  // Reading lowers the count, so anything above its lowest value has arrived since.
  if (least.asOf !== asOf || unread < least.unread) setLeast({ asOf, unread })
  const isNew = useLater(asOf) && unread > least.unread
  return (
    <div role="status">
      {isNew && (
        <p className={styles.noticesNew}>
          {t('noticesArrived')}{' '}
          <Button kind="bare" onClick={() => void reload()}>
            {t('noticesShowNew')}
          </Button>
        </p>
      )}
    </div>
  )
}

/** The bell's first count may arrive a moment after the page. */
const SETTLED_MS = 1500

function useLater(asOf: string): boolean {
  const [of, setOf] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setOf(asOf), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [asOf])
  return of === asOf
}

interface ReadAllProps {
  readonly asOf: string
  /** Some listed notices were unread, so the button keeps its space before and after the bell has a count. */
  readonly among: boolean
}

function ReadAll({ asOf, among }: ReadAllProps) {
  const { t } = useText()
  const unread = useNoticeCount()
  const reload = useReload()
  const [state, setState] = useState<'busy' | 'failed' | null>(null)
  async function read(): Promise<void> {
    setState('busy')
    try {
      const rest = await api(calls.read, { upTo: asOf })
      setNoticeCount(rest.unread)
      setState(null)
      await reload()
    } catch {
      setState('failed')
    }
  }
  if (unread === 0 && !among) return null
  return (
    <div className={styles.noticesAll}>
      {state === 'failed' && <Alert heading={t('error')}>{t('noticesFailed')}</Alert>}
      {unread > 0 && (
        <Button kind="bare" icon="check" busy={state === 'busy'} onClick={() => void read()}>
          {t('noticesReadAll')}
        </Button>
      )}
    </div>
  )
}
