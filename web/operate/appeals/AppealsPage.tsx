import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { AppealLine } from '#web/operate/appeals/AppealLine.tsx'
import type { loader } from '#web/operate/appeals/AppealsPage.data.ts'
import { FiguresButton } from '#web/operate/appeals/FiguresButton.tsx'
import { DeskNothing } from '#web/operate/desk/DeskNothing.tsx'
import { DeskPage } from '#web/operate/desk/DeskPage.tsx'
import { ListedFilters } from '#web/operate/desk/ListedFilters.tsx'
import { DeskRows } from '#web/operate/desk/DeskRows.tsx'
import styles from '#web/operate/desk/Desk.module.css'

export default function AppealsPage() {
  const { decided, search, page, list, counts } = usePageData<typeof loader>()
  const { t } = useText()
  const show = decided ? 'done' : undefined
  return (
    <DeskPage here="appeals" title={t('deskAppeals')} counts={counts}>
      <ListedFilters pathOf={to.appeals} search={search} done={decided} />
      <DeskRows
        path={to.appeals()}
        count={list.length}
        page={page}
        href={(number) => to.appeals({ show, search, page: number })}
        loading={t('appealLoading')}
        nothing={
          <DeskNothing
            isFiltered={search !== ''}
            all={to.appeals()}
            title={t(decided ? 'appealNoneDecided' : 'appealNoneOpen')}
          />
        }
      >
        <ul className={styles.flags}>
          {list.map((appeal) => (
            <AppealLine key={appeal.id} appeal={appeal} />
          ))}
        </ul>
      </DeskRows>
      <p>
        <FiguresButton />
      </p>
    </DeskPage>
  )
}
