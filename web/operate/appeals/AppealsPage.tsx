import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { AppealLine } from '#web/operate/appeals/AppealLine.tsx'
import type { loader } from '#web/operate/appeals/AppealsPage.data.ts'
import { FiguresButton } from '#web/operate/appeals/FiguresButton.tsx'
import { DeskPage } from '#web/operate/desk/DeskPage.tsx'
import { DeskRows } from '#web/operate/desk/DeskRows.tsx'
import { Chip } from '#web/ui/Chip.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { classes } from '#web/ui/classes.ts'
import chipStyles from '#web/ui/styles/Chip.module.css'
import styles from '#web/operate/desk/Desk.module.css'

export default function AppealsPage() {
  const { decided, page, list, counts } = usePageData<typeof loader>()
  const { t } = useText()
  const show = decided ? 'done' : undefined
  return (
    <DeskPage here="appeals" title={t('deskAppeals')} counts={counts}>
      <div
        className={classes(chipStyles.chips, chipStyles.which)}
        role="group"
        aria-label={t('deskShow')}
      >
        <Chip as={Link} to={to.appeals()} current={!decided}>
          {t('deskOpen')}
        </Chip>
        <Chip as={Link} to={to.appeals({ show: 'done' })} current={decided}>
          {t('deskDone')}
        </Chip>
      </div>
      <DeskRows
        path={to.appeals()}
        count={list.length}
        page={page}
        href={(number) => to.appeals({ show, page: number })}
        loading={t('appealLoading')}
        nothing={
          <Empty drawing="tray" title={t(decided ? 'appealNoneDecided' : 'appealNoneOpen')} />
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
