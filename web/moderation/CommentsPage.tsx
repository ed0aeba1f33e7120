import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { useCommentDesk } from '#web/moderation/comments/comment-desk.ts'
import { addressOf, choicesOf, CommentFilters } from '#web/moderation/comments/CommentFilters.tsx'
import type { loader } from '#web/moderation/CommentsPage.data.ts'
import { CommentTable } from '#web/moderation/comments/CommentTable.tsx'
import { DeskList } from '#web/moderation/desk/DeskList.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Empty } from '#web/ui/Empty.tsx'

/** All comments, for administrators: who said what, what the machine thinks of it, and what becomes of it. */
export default function CommentsPage() {
  const { counts, query, list, now } = usePageData<typeof loader>()
  const { t, formatNumber } = useText()
  const { comments, total, more, page, pages } = list
  const { deleted } = query
  const desk = useCommentDesk(comments, deleted)
  return (
    <DeskList
      here="comments"
      path={to.comments()}
      title={t('deskComments')}
      loading={t('deskLoading')}
      counts={counts}
      desk={desk}
      items={comments}
      size={{ total, more }}
      page={page}
      pages={pages}
      hrefOf={(number) => addressOf(query, { page: number })}
      deleted={deleted}
      filters={
        <CommentFilters
          query={query}
          labels={list.labels}
          show={
            more
              ? t('deskFilterShowMany', { total: `${formatNumber(total)}+` })
              : t('deskFilterShow', { total })
          }
        />
      }
      nothing={<Nothing />}
      table={<CommentTable list={comments} desk={desk} deleted={deleted} now={now} />}
    />
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
