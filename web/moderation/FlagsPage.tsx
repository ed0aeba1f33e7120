import { useState } from 'react'
import type { Flag } from '#contract/flags.ts'
import { ROWS_PER_PAGE } from '#contract/limits.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { TurnLinks } from '#web/items/list/PageLinks.tsx'
import { useSlowWait } from '#web/core/router/slow-wait.ts'
import { DeskFoot } from '#web/moderation/desk/DeskFoot.tsx'
import { DeskTabs } from '#web/moderation/desk/DeskTabs.tsx'
import { FlagLine } from '#web/moderation/FlagLine.tsx'
import type { loader } from '#web/moderation/FlagsPage.data.ts'
import { RowSkeleton } from '#web/ui/Skeleton.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Chip } from '#web/ui/Chip.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Head } from '#web/ui/Head.tsx'
import styles from '#web/moderation/desk/Desk.module.css'
import { classes } from '#web/ui/classes.ts'
import chipStyles from '#web/ui/styles/Chip.module.css'

/** What readers reported, each beside the thing that it is about. */
export default function FlagsPage() {
  const { closed, page, list, counts } = usePageData<typeof loader>()
  const { t } = useText()
  const waits = useSlowWait(to.flags())
  const { shown, change, open } = useFlags(list)
  const href = (number: number) => to.flags({ show: closed ? 'done' : undefined, page: number })
  return (
    <>
      <DeskTabs
        here="flags"
        counts={counts && { ...counts, flags: Math.max(0, counts.flags + open) }}
      />
      <Head title={t('deskFlags')} as="h1" />
      <div
        className={classes(chipStyles.chips, chipStyles.which)}
        role="group"
        aria-label={t('deskShow')}
      >
        <Chip as={Link} to={to.flags()} current={!closed}>
          {t('deskOpen')}
        </Chip>
        <Chip as={Link} to={to.flags({ show: 'done' })} current={closed}>
          {t('deskDone')}
        </Chip>
      </div>
      {waits && <RowSkeleton label={t('flagsLoading')} />}
      {!waits && shown.length === 0 && <Nothing />}
      {!waits && shown.length > 0 && (
        <ul className={styles.flags}>
          {shown.map((flag) => (
            <FlagLine key={flag.id} flag={flag} onChange={change} />
          ))}
        </ul>
      )}
      <TurnLinks page={page} more={list.length === ROWS_PER_PAGE} href={href} />
      <DeskFoot counts={counts} />
    </>
  )
}

/**
 * What is dealt with stays in its place until the list is fetched again, so that one press opens it again. `open`: by
 * how much the number of open reports has changed since.
 */
function useFlags(list: readonly Flag[]) {
  const [changed, setChanged] = useState<readonly Flag[]>([])
  const [of, setOf] = useState(list)
  if (of !== list) {
    setOf(list)
    setChanged([])
  }
  const open = changed.reduce((sum, flag) => {
    const was = list.find(({ id }) => id === flag.id)
    return sum + Number(flag.closed === null) - Number(was?.closed === null)
  }, 0)
  return {
    shown: list.map((flag) => changed.find(({ id }) => id === flag.id) ?? flag),
    change: (flag: Flag) => setChanged([...changed.filter(({ id }) => id !== flag.id), flag]),
    open,
  }
}

/** Why the list is empty. */
function Nothing() {
  const { closed, page } = usePageData<typeof loader>()
  const { t } = useText()
  if (page > 1) {
    return (
      <Empty
        drawing="search"
        title={t('deskNoSuchPage')}
        step={
          <ButtonLink as={Link} to={to.flags({ show: closed ? 'done' : undefined })}>
            {t('deskFirstPage')}
          </ButtonLink>
        }
      />
    )
  }
  return (
    <Empty drawing="tray" title={t(closed ? 'flagsNoneDone' : 'flagsNone')}>
      {closed ? undefined : t('flagsNoneWhat')}
    </Empty>
  )
}
