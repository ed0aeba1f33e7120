import { type ReactNode, useCallback, useId, useRef, useState } from 'react'
import { comments, type Comment } from '#contract/comments.ts'
import type { OpenLesson } from '#contract/lessons.ts'
import { useCommentCount } from '#web/items/comments/comment-count.ts'
import { CommentForm } from '#web/items/comments/CommentForm.tsx'
import { CommentGate } from '#web/items/comments/CommentGate.tsx'
import { OlderComments } from '#web/items/comments/OlderComments.tsx'
import { CommentThreads, type CommentAnnouncement } from '#web/items/comments/CommentThreads.tsx'
import { useDiscussion } from '#web/items/comments/discussion.ts'
import { api } from '#web/core/api.ts'
import { passIfGone } from '#web/core/api-error.ts'
import { ConfirmDialog } from '#web/core/form/ConfirmDialog.tsx'
import { useText } from '#web/core/i18n.tsx'
import { Quoted } from '#web/core/Quoted.tsx'
import { ReportDialog } from '#web/items/flags/ReportDialog.tsx'
import type { ReportSubject } from '#web/items/flags/report-subject.ts'
import { type Part, Tabs } from '#web/items/comments/Tabs.tsx'
import styles from './Comments.module.css'

interface CommentsProps {
  readonly lesson: OpenLesson
  /** Unlocks the item, for readers who can't comment yet. */
  readonly unlock?: ReactNode
  /** The page shows a course with ratings above, so the heading says that these are the comments of one lesson. */
  readonly inCourse?: boolean | undefined
  readonly parts: readonly Part[]
}

/** Give it the lesson's id as key: its state belongs to one lesson. */
export function Comments({ lesson, inCourse, parts, unlock }: CommentsProps) {
  const { t, formatNumber } = useText()
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const rows = useRef<HTMLDivElement>(null)
  const discussion = useDiscussion(lesson, rows)
  const count = useCommentCount(lesson)
  const [announcement, setAnnouncement] = useState<CommentAnnouncement | null>(null)
  const [asked, setAsked] = useState<Comment | null>(null)
  const [reported, setReported] = useState<ReportSubject | null>(null)
  const report = useCallback((comment: Comment) => {
    setReported({ kind: 'comment', id: comment.id, name: comment.text })
  }, [])

  const onPosted = (comment: Comment) => {
    discussion.post(comment)
    setAnnouncement('commentPosted')
  }
  const onDeleted = (gone: number) => {
    discussion.drop(gone)
    setAnnouncement('commentDeleted')
    heading.current?.focus({ preventScroll: true })
  }
  const write = lesson.can.comment ? (
    <CommentForm lesson={lesson} onPosted={onPosted} />
  ) : (
    <CommentGate lesson={lesson} unlock={unlock} />
  )
  return (
    <section data-comments className={styles.talk} aria-labelledby={id}>
      <h2 data-beside id={id} ref={heading} tabIndex={-1}>
        {t(inCourse ? 'commentsOfLesson' : 'comments')}{' '}
        <span className="quiet num">{formatNumber(count)}</span>
      </h2>
      <Tabs
        label={t('takePart')}
        parts={[{ name: 'comment', label: t('comment'), content: write }, ...parts]}
      />
      <p className="sr" role="status">
        {announcement !== null && t(announcement)}
      </p>
      <p className="sr" role="status">
        {discussion.arrivals > 0 && (
          <span key={discussion.arrivals}>
            {t('commentsArrived', { count: discussion.arrived })}
          </span>
        )}
      </p>
      <div data-beside>
        <CommentThreads
          lesson={lesson}
          discussion={discussion}
          rows={rows}
          onDelete={setAsked}
          onReport={report}
          onAnnounce={setAnnouncement}
        />
        {discussion.more && (
          <OlderComments left={count - discussion.list.length} show={discussion.showOlder} />
        )}
      </div>
      {asked !== null && (
        <ConfirmDialog
          onClose={() => setAsked(null)}
          title={t('deleteCommentTitle')}
          step={{ label: t('deleteComment'), kind: 'risk', icon: 'bin' }}
          leave={t('keepLesson')}
          act={() => api(comments.remove, { id: asked.id }).catch(passIfGone)}
          onDone={() => onDeleted(asked.id)}
        >
          <Quoted text={asked.text} />
        </ConfirmDialog>
      )}
      <ReportDialog subject={reported} onClose={() => setReported(null)} />
    </section>
  )
}
