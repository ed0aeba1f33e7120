import { useState } from 'react'
import type { Flag } from '#contract/flags.ts'
import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { DeskNothing } from '#web/operate/desk/DeskNothing.tsx'
import { DeskPage } from '#web/operate/desk/DeskPage.tsx'
import { DeskRows } from '#web/operate/desk/DeskRows.tsx'
import { ListedFilters } from '#web/operate/desk/ListedFilters.tsx'
import { FlagLine } from '#web/operate/moderation/FlagLine.tsx'
import type { loader } from '#web/operate/moderation/FlagsPage.data.ts'
import styles from '#web/operate/desk/Desk.module.css'

export default function FlagsPage() {
  const { closed, search, page, list, counts } = usePageData<typeof loader>()
  const { t } = useText()
  const { shown, change, open } = useFlags(list)
  const href = (number?: number) =>
    to.flags({ show: closed ? 'done' : undefined, search, page: number })
  return (
    <DeskPage
      here="flags"
      title={t('deskFlags')}
      counts={counts && { ...counts, flags: Math.max(0, counts.flags + open) }}
    >
      <ListedFilters pathOf={to.flags} search={search} done={closed} />
      <DeskRows
        path={to.flags()}
        count={shown.length}
        page={page}
        href={href}
        loading={t('flagsLoading')}
        nothing={
          <DeskNothing
            isFiltered={search !== ''}
            all={to.flags()}
            title={t(closed ? 'flagsNoneDone' : 'flagsNone')}
          >
            {closed ? undefined : t('flagsNoneWhat')}
          </DeskNothing>
        }
      >
        <ul className={styles.flags}>
          {shown.map((flag) => (
            <FlagLine key={flag.id} flag={flag} onChange={change} />
          ))}
        </ul>
      </DeskRows>
    </DeskPage>
  )
}

/**
 * Keeps closed reports in place until the list is reloaded, so that one press reopens them. `open` is the change in the
 * number of open reports since then.
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
