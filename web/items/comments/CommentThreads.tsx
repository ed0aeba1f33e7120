import { Fragment, type RefObject, useCallback, useState } from 'react'
import type { Comment } from '#contract/comments.ts'
import type { OpenLesson } from '#contract/lessons.ts'
import { CommentForm } from '#web/items/comments/CommentForm.tsx'
import { CommentLine } from '#web/items/comments/CommentLine.tsx'
import type { WritingSubject } from '#web/items/comments/comment-writing.ts'
import { focusComment } from '#web/items/comments/focus-comment.ts'
import { splitAtPages } from '#web/items/comments/merge.ts'
import type { Discussion } from '#web/items/comments/discussion.ts'
import type { Thread } from '#web/items/comments/threads.ts'
import { ThreadView } from '#web/items/comments/ThreadView.tsx'
import { useText } from '#web/core/i18n.tsx'
import { useSession } from '#web/core/session.ts'
import { mayReport } from '#web/items/flags/report-subject.ts'
import { Empty } from '#web/ui/Empty.tsx'
import styles from './Comments.module.css'

export type CommentAnnouncement = 'commentPosted' | 'commentChanged' | 'commentDeleted'

interface CommentThreadsProps {
  readonly lesson: OpenLesson
  readonly discussion: Discussion
  readonly rows: RefObject<HTMLDivElement | null>
  readonly onDelete: (comment: Comment) => void
  readonly onReport: (comment: Comment) => void
  readonly onAnnounce: (announcement: CommentAnnouncement) => void
}

export function CommentThreads({
  lesson,
  discussion,
  rows,
  onDelete,
  onReport,
  onAnnounce,
}: CommentThreadsProps) {
  const { t } = useText()
  const person = useSession()
  const rules = person?.role === 'administrator'
  const [subject, setSubject] = useState<WritingSubject | null>(null)
  const reply = useCallback((comment: Comment) => setSubject({ kind: 'reply', comment }), [])
  const edit = useCallback((comment: Comment) => setSubject({ kind: 'edit', comment }), [])
  const newestPage = discussion.starts[0] ?? 0

  const leave = (next: Comment) => {
    setSubject(null)
    focusComment(next.id)
  }
  const formFor = (asked: WritingSubject) => (
    <CommentForm
      key={`${asked.kind}-${asked.comment.id}`}
      lesson={lesson}
      subject={asked}
      onCancel={() => leave(asked.comment)}
      onPosted={(comment) => {
        if (asked.kind === 'edit') discussion.change(comment)
        else discussion.post(comment)
        onAnnounce(asked.kind === 'edit' ? 'commentChanged' : 'commentPosted')
        leave(comment)
      }}
    />
  )
  const line = (comment: Comment) =>
    subject?.kind === 'edit' && subject.comment.id === comment.id ? (
      <Fragment key={comment.id}>{formFor(subject)}</Fragment>
    ) : (
      <CommentLine
        key={comment.id}
        comment={comment}
        fresh={discussion.fresh.has(comment.id)}
        onDelete={comment.mine || rules ? onDelete : null}
        onReply={lesson.can.comment && comment.replyTo === null ? reply : null}
        onEdit={comment.mine && lesson.can.comment ? edit : null}
        onReport={person !== null && mayReport(person, comment.user) ? onReport : null}
      />
    )
  const answered = subject?.kind === 'reply' ? subject : null
  const threads =
    answered === null ? discussion.threads : withThread(discussion.threads, answered.comment.id)
  // The empty state is rendered here rather than by the parent: if the only comment is deleted while somebody
  // writes an answer to it, the answer must survive.
  if (threads.length === 0)
    return (
      <Empty drawing="talk" title={t('noCommentsYet')}>
        {lesson.can.comment ? t('noCommentsHint') : undefined}
      </Empty>
    )
  return (
    <div className={styles.said} ref={rows}>
      {splitAtPages(threads, discussion.starts).map(({ start, rows: among }) => (
        <div key={start} className={start < newestPage ? styles.chunk : undefined}>
          {among.map((thread) => (
            <ThreadView
              key={thread.id}
              thread={thread}
              line={line}
              form={answered?.comment.id === thread.id ? formFor(answered) : null}
            />
          ))}
        </div>
      ))}
    </div>
  )
}

/** Adds the thread that is being answered if its comment was deleted meanwhile, so that the text stays. */
function withThread(threads: readonly Thread[], id: number): readonly Thread[] {
  if (threads.some((thread) => thread.id === id)) return threads
  return [...threads, { id, root: null, answers: [] }].toSorted((one, other) => other.id - one.id)
}
