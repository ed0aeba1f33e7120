import { useRef } from 'react'
import type { BugReport } from '#contract/mail.ts'
import { FormAlert } from '#web/core/form/FormAlert.tsx'
import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { useNameOf } from '#web/core/PersonName.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { Time } from '#web/core/time/Time.tsx'
import { type BugDesk, useBugDesk } from '#web/operate/moderation/bug-desk.ts'
import type { loader } from '#web/operate/moderation/BugsPage.data.ts'
import { DeskNothing } from '#web/operate/desk/DeskNothing.tsx'
import { DeskPage } from '#web/operate/desk/DeskPage.tsx'
import { DeskPerson } from '#web/operate/desk/DeskPerson.tsx'
import { DeskRows } from '#web/operate/desk/DeskRows.tsx'
import { ListedFilters } from '#web/operate/desk/ListedFilters.tsx'
import { DeskTable } from '#web/operate/desk/DeskTable.tsx'
import { UndoToast } from '#web/operate/desk/UndoLine.tsx'
import { Button } from '#web/ui/Button.tsx'
import styles from './Bugs.module.css'
import deskStyles from '#web/operate/desk/Desk.module.css'

export default function BugsPage() {
  const { bugs, done, search, page, counts } = usePageData<typeof loader>()
  const { t } = useText()
  const desk = useBugDesk()
  const body = useRef<HTMLDivElement>(null)

  const turn = async (bug: BugReport, button: HTMLButtonElement) => {
    const next = neighbourOf(body.current, button)
    // The row disappears, so keyboard users continue at the next one.
    if (await desk.turn(bug)) (next ?? mainOf())?.focus({ preventScroll: next === undefined })
  }
  return (
    <DeskPage here="bugs" title={t('deskBugs')} counts={counts}>
      <ListedFilters pathOf={to.bugs} search={search} done={done} />
      <FormAlert alert={desk.failure} />
      <DeskRows
        path={to.bugs()}
        count={bugs.length}
        page={page}
        href={(number) => to.bugs({ show: done ? 'done' : undefined, search, page: number })}
        loading={t('bugsLoading')}
        nothing={
          <DeskNothing
            isFiltered={search !== ''}
            all={to.bugs()}
            title={t(done ? 'bugsNoneDone' : 'bugsNoneOpen')}
          />
        }
      >
        <div ref={body}>
          <DeskTable
            label={t(done ? 'bugsDone' : 'bugsOpen')}
            rows={bugs}
            keyOf={({ id }) => id}
            columns={[
              {
                name: t('bugsProblem'),
                kind: 'what',
                cell: ({ topic, text }) => (
                  <div className={styles.problem} lang={textLanguage(topic + text)} dir="auto">
                    <h2>{topic}</h2>
                    <p>{text}</p>
                  </div>
                ),
              },
              { name: t('bugsFrom'), cell: (bug) => <Reporter bug={bug} /> },
              { name: t('bugsReported'), kind: 'time', cell: (bug) => <Times bug={bug} /> },
              {
                name: t('deskActs'),
                kind: 'acts',
                cell: (bug) => {
                  const words = t(bug.done === null ? 'bugsFinish' : 'bugsReopen')
                  return (
                    <Button
                      icon={bug.done === null ? 'check' : 'undo'}
                      aria-label={`${words}: ${bug.topic}`}
                      busy={desk.acting === bug.id}
                      onClick={(event) => void turn(bug, event.currentTarget)}
                    >
                      {words}
                    </Button>
                  )
                },
              },
            ]}
          />
        </div>
      </DeskRows>
      <Undo desk={desk} />
    </DeskPage>
  )
}

function Undo({ desk: { last, acting, undo, forget } }: { readonly desk: BugDesk }) {
  const { t } = useText()
  const isOpen = last?.done === null
  return (
    <UndoToast
      label={t('bugsUndoLabel')}
      words={last && t(isOpen ? 'bugsReopened' : 'bugsFinished', { topic: last.topic })}
      icon={isOpen ? 'undo' : 'check'}
      busy={acting !== null}
      onUndo={undo}
      onClose={forget}
    />
  )
}

interface BugProps {
  readonly bug: BugReport
}

function Reporter({ bug: { user, userName, profilePicture, senderEmail } }: BugProps) {
  const { t } = useText()
  return (
    <>
      {user === null ? (
        <span className="quiet">{t('bugsGuest')}</span>
      ) : (
        <DeskPerson
          person={{ id: user, userName: userName ?? '', imageUrl: profilePicture ?? '' }}
        />
      )}
      {senderEmail !== '' && (
        <a className={styles.problemAddress} href={`mailto:${senderEmail}`}>
          {senderEmail}
        </a>
      )}
    </>
  )
}

function Times({ bug: { date, done } }: BugProps) {
  const { t } = useText()
  const nameOf = useNameOf()
  return (
    <>
      <Time date={date} form="moment" />
      {done !== null && (
        <p className={deskStyles.goneSince}>
          {t('bugsDoneBy', { username: nameOf(done.userName) })}
          <br />
          <Time date={done.date} form="moment" />
        </p>
      )}
    </>
  )
}

const mainOf = () => document.querySelector<HTMLElement>('#main')

/** Returns the button of the row below, or else of the one above. */
function neighbourOf(body: HTMLElement | null, button: HTMLElement): HTMLElement | undefined {
  const buttons = [...(body?.querySelectorAll<HTMLElement>('tbody button') ?? [])]
  const place = buttons.indexOf(button)
  return buttons[place + 1] ?? buttons[place - 1]
}
