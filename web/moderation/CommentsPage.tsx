import { useRef, useState } from 'react'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { PageLinks } from '#web/items/list/PageLinks.tsx'
import { useSlowWait } from '#web/core/router/slow-wait.ts'
import { BulkBar } from '#web/moderation/desk/BulkBar.tsx'
import { useCommentDesk } from '#web/moderation/comments/comment-desk.ts'
import { addressOf, choicesOf, CommentFilters } from '#web/moderation/comments/CommentFilters.tsx'
import type { loader } from '#web/moderation/CommentsPage.data.ts'
import { CommentTable } from '#web/moderation/comments/CommentTable.tsx'
import { useDeskKeys, useDeskKeysWish } from '#web/moderation/desk/desk-keys.ts'
import { useRowKeys } from '#web/moderation/desk/row-keys.ts'
import { DeskFoot } from '#web/moderation/desk/DeskFoot.tsx'
import { DeskTabs } from '#web/moderation/desk/DeskTabs.tsx'
import { KeysDialog } from '#web/moderation/desk/KeysDialog.tsx'
import { useUndo } from '#web/moderation/desk/UndoLine.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { RowSkeleton } from '#web/ui/Skeleton.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Head } from '#web/ui/Head.tsx'

/**
 * All comments, for administrators: who said what, what the machine thinks of it, and what becomes of it. It is long
 * because it only places its pieces, which all need the same desk.
 */
export default function CommentsPage() {
  const { counts, query, list, now } = usePageData<typeof loader>()
  const { t, formatNumber } = useText()
  const { comments, total, more, page, pages } = list
  const { deleted } = query
  const desk = useCommentDesk(comments, deleted)
  const { undo } = useUndo()
  const [asks, setAsks] = useState(false)
  const wish = useDeskKeysWish()
  const body = useRef<HTMLDivElement>(null)
  const steps = useRowKeys(body, {
    desk,
    list: comments,
    undo: () => void undo(),
    showHelp: () => setAsks(true),
  })
  useDeskKeys(wish.isOn, steps.hear)
  const waits = useSlowWait(to.comments())
  const many = `${formatNumber(total)}+`
  return (
    <>
      <DeskTabs here="comments" counts={counts} />
      <Head
        title={t('deskComments')}
        as="h1"
        end={
          <Button
            kind="bare"
            className="keys-button by-keys"
            aria-haspopup="dialog"
            onClick={() => setAsks(true)}
          >
            {t('keysButton')}
          </Button>
        }
      >
        <p className="quiet num" role="status">
          {total > 1
            ? t('deskTotal', { total: more ? many : formatNumber(total) })
            : formatNumber(total)}
        </p>
      </Head>
      <CommentFilters
        query={query}
        labels={list.labels}
        show={more ? t('deskFilterShowMany', { total: many }) : t('deskFilterShow', { total })}
      />
      {desk.failure !== null && (
        <Alert key={desk.failure.text} heading={t('error')} focus>
          {desk.failure.text}
        </Alert>
      )}
      <BulkBar count={desk.selected.size} onClear={() => desk.selectAll(false)}>
        <Button
          icon={deleted ? 'undo' : 'bin'}
          busy={desk.busy}
          onClick={() => void desk.act([...desk.selected])}
        >
          {t(deleted ? 'deskRestoreMany' : 'deskDeleteMany', { count: desk.selected.size })}
        </Button>
      </BulkBar>
      {waits && <RowSkeleton label={t('deskLoading')} />}
      {!waits && comments.length === 0 && <Nothing />}
      {!waits && comments.length > 0 && (
        <div ref={body} onFocus={steps.remember}>
          <CommentTable list={comments} desk={desk} deleted={deleted} now={now} />
          <PageLinks
            page={page}
            pages={pages}
            href={(number) => addressOf(query, { page: number })}
          />
          {more && page === pages && (
            <p className="quiet" role="note">
              {t('deskEnds', { pages: formatNumber(pages) })}
            </p>
          )}
        </div>
      )}
      <KeysDialog
        open={asks}
        onClose={() => setAsks(false)}
        deleted={deleted}
        isOn={wish.isOn}
        onChange={wish.set}
      />
      <DeskFoot counts={counts} />
    </>
  )
}

/** Why the list is empty. */
function Nothing() {
  const { query } = usePageData<typeof loader>()
  const { t } = useText()
  const { search, label, deleted } = query
  const choices = choicesOf(query)
  const words = () => {
    if (choices === 0) return t(deleted ? 'deskNoneDeleted' : 'deskNone')
    if (choices > 1) return t('deskNoneFiltered')
    if (search !== '') return t('deskNoneFound', { search })
    return t(label === undefined ? 'deskNoneFiltered' : 'deskNoneLabel')
  }
  return (
    <Empty
      drawing={choices === 0 ? 'talk' : 'search'}
      title={words()}
      step={
        (choices > 0 || deleted) && (
          <ButtonLink
            as={Link}
            to={to.comments({ deleted: deleted && choices > 0 ? 'on' : undefined })}
          >
            {t(choices > 0 ? 'clearFilters' : 'deskAll')}
          </ButtonLink>
        )
      }
    />
  )
}
