import type { ReactNode } from 'react'
import { type MissingVideo, videoChecks } from '#contract/video-checks.ts'
import { api } from '#web/core/api.ts'
import { FormAlert } from '#web/core/form/FormAlert.tsx'
import { useSending } from '#web/core/form/use-sending.ts'
import { useText } from '#web/core/i18n.tsx'
import { usePageData, useReload } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { Time } from '#web/core/time/Time.tsx'
import { toast } from '#web/core/toast.ts'
import { DeskPage } from '#web/operate/desk/DeskPage.tsx'
import { DeskPerson } from '#web/operate/desk/DeskPerson.tsx'
import { DeskRows } from '#web/operate/desk/DeskRows.tsx'
import { DeskTable } from '#web/operate/desk/DeskTable.tsx'
import type { loader } from '#web/operate/videos/VideosPage.data.ts'
import { Button } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import styles from '#web/operate/desk/Desk.module.css'

/** Lessons whose videos can't be played, and what is wrong with the checker. */
export default function VideosPage() {
  const { videos, on, silentUntil, held, page, counts } = usePageData<typeof loader>()
  const { t } = useText()
  return (
    <DeskPage
      here="videos"
      title={t('deskVideos')}
      counts={counts}
      beside={<p className="quiet">{t('videosHelp')}</p>}
    >
      {!on && <Note>{t('videosOff')}</Note>}
      {held !== null && <Note>{t('videosHeld', { count: held })}</Note>}
      {silentUntil !== null && (
        <Note>
          {t('videosSilent')} <Time date={silentUntil} form="moment" />
        </Note>
      )}
      <DeskRows
        path={to.videos()}
        count={videos.length}
        page={page}
        href={to.videos}
        loading={t('videosLoading')}
        nothing={<Empty drawing="tray" title={t('videosNone')} />}
      >
        <Videos videos={videos} />
      </DeskRows>
    </DeskPage>
  )
}

function Note({ children }: { readonly children: ReactNode }) {
  return (
    <p className={styles.deskNote} role="note">
      <Icon name="warn" />
      <span>{children}</span>
    </p>
  )
}

function Videos({ videos }: { readonly videos: readonly MissingVideo[] }) {
  const { t } = useText()
  const reload = useReload()
  const { busy, failure, send } = useSending()
  const checkAgain = (id: number) =>
    send(async () => {
      await api(videoChecks.again, { id })
      toast(t('videosAgainSoon'), 'done')
      await reload()
    })
  return (
    <>
      <FormAlert alert={failure} />
      <DeskTable
        label={t('deskVideos')}
        rows={videos}
        keyOf={({ lesson }) => lesson.id}
        columns={[
          {
            name: t('kindLesson'),
            kind: 'what',
            cell: ({ lesson, video }) => (
              <>
                <Link to={to.lesson(lesson.id)} lang={textLanguage(lesson.title)} dir="auto">
                  {lesson.title}
                </Link>{' '}
                <a className="quiet" href={video} rel="noreferrer">
                  YouTube
                </a>
              </>
            ),
          },
          {
            name: t('deskPerson'),
            kind: 'person',
            cell: ({ owner }) => <DeskPerson person={owner} />,
          },
          {
            name: t('videosState'),
            cell: ({ failed, gone }) => (
              <>
                {t(gone === null ? 'videosSuspect' : 'videosMarked')}{' '}
                <Time date={gone ?? failed} form="moment" />
              </>
            ),
          },
          {
            name: t('videosAgain'),
            kind: 'acts',
            cell: ({ lesson }) => (
              <Button
                icon="retry"
                busy={busy}
                aria-label={t('videosAgainOf', { title: lesson.title })}
                onClick={() => void checkAgain(lesson.id)}
              >
                {t('videosAgain')}
              </Button>
            ),
          },
        ]}
      />
    </>
  )
}
