import { UNDO_DAYS } from '#contract/limits.ts'
import { comments as calls, type ModeratedComment } from '#contract/comments.ts'
import { api } from '#web/core/api.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { textLanguage } from '#web/core/text-language.ts'
import { toast } from '#web/core/toast.ts'
import {
  addressOf,
  choicesOf,
  CommentFilters,
} from '#web/operate/moderation/comments/CommentFilters.tsx'
import type { loader } from '#web/operate/moderation/CommentsPage.data.ts'
import { Marked, Reasons } from '#web/operate/moderation/comments/Judged.tsx'
import { JudgedTable } from '#web/operate/moderation/comments/JudgedTable.tsx'
import { OPINIONS } from '#web/operate/moderation/comments/opinions.ts'
import { type Desk, useDesk } from '#web/operate/desk/desk.ts'
import { DeskList } from '#web/operate/desk/DeskList.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { classes } from '#web/ui/classes.ts'
import { Empty } from '#web/ui/Empty.tsx'
import styles from '#web/operate/desk/Desk.module.css'

export default function CommentsPage() {
  const { counts, query, list, now } = usePageData<typeof loader>()
  const { t, formatNumber } = useText()
  const { comments, total, more, page, pages } = list
  const { deleted } = query
  const desk = useDesk('comment', comments, deleted)
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
      table={
        <JudgedTable
          label={t('deskComments')}
          list={comments}
          desk={desk}
          deleted={deleted}
          now={now}
          words={{ select: 'deskSelect', delete: 'deskDelete', restore: 'deskRestore' }}
          what={{
            name: t('deskComment'),
            cell: (comment) => <Words comment={comment} desk={desk} />,
          }}
          item={{
            name: t('deskLesson'),
            of: ({ lessonId, lessonTitle }) => ({ path: to.lesson(lessonId), title: lessonTitle }),
          }}
          pictureOf={({ profilePicture }) => profilePicture}
        />
      }
    />
  )
}

interface WordsProps {
  readonly comment: ModeratedComment
  readonly desk: Desk
}

function Words({ comment, desk }: WordsProps) {
  const { t } = useText()
  const { id, text, why, deleted } = comment
  const judge = async () => {
    const { prediction } = await api(calls.judge, { id })
    toast(t('judgedAgain', { opinion: t(OPINIONS[prediction ?? 'NONE'].name) }))
  }
  return (
    <details className={classes(comment.prediction === 'TOXIC' && styles.toxic)}>
      <summary lang={textLanguage(text)} dir="auto">
        <Marked text={text} why={why} />
      </summary>
      <Reasons judged={comment}>
        {deleted === null && (
          <Button
            kind="bare"
            className="small"
            icon="retry"
            busy={desk.busy}
            onClick={() => void desk.attempt(judge)}
          >
            {t('judgeAgain')}
          </Button>
        )}
      </Reasons>
    </details>
  )
}

function Nothing() {
  const { query } = usePageData<typeof loader>()
  const { t } = useText()
  const { search, label, deleted } = query
  const choices = choicesOf(query)
  const words = () => {
    if (choices === 0) return deleted ? t('deskNoneDeleted', { days: UNDO_DAYS }) : t('deskNone')
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
