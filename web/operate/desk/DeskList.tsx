import { type ReactNode, useRef, useState } from 'react'
import { useText } from '#web/core/i18n.tsx'
import { useSlowWait } from '#web/core/router/slow-wait.ts'
import { PageLinks } from '#web/layout/paging/PageLinks.tsx'
import { BulkBar } from '#web/operate/desk/BulkBar.tsx'
import type { Desk } from '#web/operate/desk/desk.ts'
import type { DeskCounts } from '#web/operate/desk/desk-counts.ts'
import { useDeskKeys, useDeskKeysSetting } from '#web/operate/desk/desk-keys.ts'
import { DeskPage } from '#web/operate/desk/DeskPage.tsx'
import { KeysDialog } from '#web/operate/desk/KeysDialog.tsx'
import { useRowKeys } from '#web/operate/desk/row-keys.ts'
import type { Listed } from '#web/operate/desk/selection.ts'
import { useUndo } from '#web/operate/desk/UndoLine.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { RowSkeleton } from '#web/ui/Skeleton.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Desk.module.css'

interface DeskListProps {
  readonly here: 'comments' | 'ratings'
  /** The URL of the list without filters. */
  readonly path: string
  readonly title: string
  readonly loading: string
  readonly counts: DeskCounts | null
  readonly desk: Desk
  readonly items: readonly Listed[]
  /** The total number. With `more` it is a lower bound. */
  readonly size: { readonly total: number; readonly more: boolean }
  readonly page: number
  readonly pages: number
  readonly hrefOf: (page: number) => string
  /** True in the view of deleted items. */
  readonly deleted: boolean
  readonly filters: ReactNode
  /** Shown if the list is empty. */
  readonly nothing: ReactNode
  readonly table: ReactNode
}

export function DeskList(props: DeskListProps) {
  const { here, path, title, loading, counts, desk, items, size, page, pages, deleted } = props
  const { t, formatNumber } = useText()
  const { undo } = useUndo()
  const [asks, setAsks] = useState(false)
  const keysSetting = useDeskKeysSetting()
  const body = useRef<HTMLDivElement>(null)
  const steps = useRowKeys(body, {
    desk,
    list: items,
    undo: () => void undo(),
    showHelp: () => setAsks(true),
  })
  useDeskKeys(keysSetting.isOn, steps.handleKey)
  const waits = useSlowWait(path)
  const { total, more } = size
  const count = formatNumber(total)
  return (
    <DeskPage
      here={here}
      title={title}
      counts={counts}
      beside={
        <p className="quiet num" role="status">
          {total > 1 ? t('deskTotal', { total: more ? `${count}+` : count }) : count}
        </p>
      }
      end={
        <Button
          kind="bare"
          className={classes('by-keys', styles.keysButton)}
          aria-haspopup="dialog"
          onClick={() => setAsks(true)}
        >
          {t('keysButton')}
        </Button>
      }
    >
      {props.filters}
      {desk.failure !== null && (
        <Alert key={desk.failure.text} heading={t('error')} focus>
          {desk.failure.text}
        </Alert>
      )}
      <BulkBar count={desk.ids.length} onClear={() => desk.choose([])}>
        <Button
          icon={deleted ? 'undo' : 'bin'}
          busy={desk.busy}
          onClick={() => void desk.act(desk.ids)}
        >
          {t(deleted ? 'deskRestoreMany' : 'deskDeleteMany', { count: desk.ids.length })}
        </Button>
      </BulkBar>
      {waits && <RowSkeleton label={loading} />}
      {!waits && items.length === 0 && props.nothing}
      {!waits && items.length > 0 && (
        <div ref={body} onFocus={steps.remember}>
          {props.table}
          <PageLinks page={page} pages={pages} href={props.hrefOf} />
          {more && page === pages && (
            <p className="quiet" role="note">
              {t('deskEnds', { pages: formatNumber(pages) })}
            </p>
          )}
        </div>
      )}
      {asks && (
        <KeysDialog
          onClose={() => setAsks(false)}
          deleted={deleted}
          isOn={keysSetting.isOn}
          onChange={keysSetting.set}
        />
      )}
    </DeskPage>
  )
}
