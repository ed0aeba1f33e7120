import { useRef } from 'react'
import type { BugReport } from '#contract/mail.ts'
import { ROWS_PER_PAGE } from '#contract/limits.ts'
import { FormAlert } from '#web/core/form/FormAlert.tsx'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { TurnLinks } from '#web/items/list/PageLinks.tsx'
import { useBugDesk } from '#web/moderation/bug-desk.ts'
import { BugRow } from '#web/moderation/BugRow.tsx'
import type { loader } from '#web/moderation/BugsPage.data.ts'
import { BugUndo } from '#web/moderation/BugUndo.tsx'
import { DeskColumn, DeskTable } from '#web/moderation/desk/DeskTable.tsx'
import { DeskFoot } from '#web/moderation/desk/DeskFoot.tsx'
import { DeskTabs } from '#web/moderation/desk/DeskTabs.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Chip } from '#web/ui/Chip.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Head } from '#web/ui/Head.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Bugs.module.css'
import chipStyles from '#web/ui/styles/Chip.module.css'

/** Problems that people reported, for administrators: the open ones, and those that are done. */
export default function BugsPage() {
  const { bugs, done, page, counts } = usePageData<typeof loader>()
  const { t } = useText()
  const desk = useBugDesk()
  const body = useRef<HTMLDivElement>(null)
  const show = done ? 'done' : undefined

  const turn = async (bug: BugReport, button: HTMLButtonElement) => {
    const next = neighbourOf(body.current, button)
    // The row goes; whoever pressed its button by key goes on with the next one.
    if (await desk.turn(bug)) (next ?? mainOf())?.focus({ preventScroll: next === undefined })
  }
  const leave = (step: () => void | Promise<void>) => {
    mainOf()?.focus({ preventScroll: true })
    void step()
  }
  return (
    <>
      <DeskTabs here="bugs" counts={counts} />
      <Head title={t('deskBugs')} as="h1" />
      <div
        className={classes(chipStyles.chips, styles.bugsShow)}
        role="group"
        aria-label={t('bugsShow')}
      >
        <Chip as={Link} to={to.bugs()} current={!done}>
          {t('bugsOpen')}
        </Chip>
        <Chip as={Link} to={to.bugs({ show: 'done' })} current={done}>
          {t('bugsDone')}
        </Chip>
      </div>
      <FormAlert alert={desk.failure} />
      {bugs.length === 0 && <Nothing />}
      {bugs.length > 0 && (
        <div ref={body}>
          <DeskTable label={t(done ? 'bugsDone' : 'bugsOpen')} head={<Columns />}>
            {bugs.map((bug) => (
              <BugRow
                key={bug.id}
                bug={bug}
                busy={desk.acting === bug.id}
                onTurn={(turned, button) => void turn(turned, button)}
              />
            ))}
          </DeskTable>
        </div>
      )}
      <TurnLinks
        page={page}
        more={bugs.length === ROWS_PER_PAGE}
        href={(number) => to.bugs({ show, page: number })}
      />
      <BugUndo
        last={desk.last}
        busy={desk.acting !== null}
        onUndo={() => leave(desk.undo)}
        onClose={() => leave(desk.forget)}
      />
      <DeskFoot counts={counts} />
    </>
  )
}

const mainOf = () => document.querySelector<HTMLElement>('#main')

/** The button of the row below, else of the one above. */
function neighbourOf(body: HTMLElement | null, button: HTMLElement): HTMLElement | undefined {
  const buttons = [...(body?.querySelectorAll<HTMLElement>('tbody button') ?? [])]
  const place = buttons.indexOf(button)
  return buttons[place + 1] ?? buttons[place - 1]
}

function Columns() {
  const { t } = useText()
  return (
    <>
      <DeskColumn kind="what">{t('bugsProblem')}</DeskColumn>
      <DeskColumn>{t('bugsFrom')}</DeskColumn>
      <DeskColumn kind="time">{t('bugsReported')}</DeskColumn>
      <DeskColumn kind="acts">
        <span className="sr">{t('deskActs')}</span>
      </DeskColumn>
    </>
  )
}

/** Why the list is empty. */
function Nothing() {
  const { done, page } = usePageData<typeof loader>()
  const { t } = useText()
  if (page === 1) {
    return (
      <Empty drawing={done ? 'search' : 'tray'} title={t(done ? 'bugsNoneDone' : 'bugsNoneOpen')} />
    )
  }
  return (
    <Empty
      drawing="search"
      title={t('bugsNoMore')}
      step={
        <ButtonLink as={Link} to={to.bugs({ show: done ? 'done' : undefined })}>
          {t('jobsFirstPage')}
        </ButtonLink>
      }
    />
  )
}
