import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import type { DeskCounts } from '#web/operate/desk/desk-counts.ts'
import {
  DESK_GROUPS,
  DESK_TABS,
  type DeskTab,
  listWaiting,
  type Tab,
  waitsOn,
} from '#web/operate/desk/desk-tabs.ts'
import { UndoLine } from '#web/operate/desk/UndoLine.tsx'
import { Drawer, DrawerOpener } from '#web/ui/Drawer.tsx'
import styles from './DeskTabs.module.css'

interface DeskTabsProps {
  readonly here: DeskTab
  readonly counts: DeskCounts | null
}

/** The navigation of the desk: groups of links, and on small screens a sheet with them. */
export function DeskTabs({ here, counts }: DeskTabsProps) {
  const { t } = useText()
  const current = DESK_TABS.find(({ id }) => id === here)
  const waiting = listWaiting(counts).reduce((sum, { count }) => sum + count, 0)
  return (
    <>
      <nav className={styles.nav} aria-label={t('deskTabs')}>
        <DrawerOpener target="desk-pages">
          <span>
            <span className="quiet">{t('deskTabs')}:</span> {current && t(current.name)}
          </span>
          <Waits count={waiting} />
        </DrawerOpener>
        <Drawer id="desk-pages" className={styles.pages}>
          {DESK_GROUPS.map(({ name, tabs }) => (
            <div key={name} role="group" aria-label={t(name)}>
              {tabs.length > 1 && (
                <span className="small quiet" aria-hidden="true">
                  {t(name)}
                </span>
              )}
              <div>
                {tabs.map((tab) => (
                  <TabLink key={tab.id} tab={tab} isHere={tab.id === here} counts={counts} />
                ))}
              </div>
            </div>
          ))}
        </Drawer>
      </nav>
      <UndoLine />
    </>
  )
}

interface TabLinkProps {
  readonly tab: Tab
  readonly isHere: boolean
  readonly counts: DeskCounts | null
}

function TabLink({ tab, isHere, counts }: TabLinkProps) {
  const { t } = useText()
  return (
    <Link to={tab.path} aria-current={isHere ? 'page' : undefined}>
      {t(tab.name)}
      <Waits count={waitsOn(tab, counts)} />
    </Link>
  )
}

function Waits({ count }: { readonly count: number }) {
  const { t, formatNumber } = useText()
  if (count === 0) return null
  return (
    <>
      {' '}
      <b className="num" aria-hidden="true">
        {formatNumber(count)}
      </b>
      <span className="sr">{t('deskWaits', { count })}</span>
    </>
  )
}
