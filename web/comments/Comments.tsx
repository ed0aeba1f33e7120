import { type ReactNode, useCallback, useId, useRef, useState } from 'react'
import { comments, type Comment } from '#contract/comments.ts'
import type { OpenLesson } from '#contract/lessons.ts'
import { useCommentCount } from '#web/comments/comment-count.ts'
import { CommentForm } from '#web/comments/CommentForm.tsx'
import { CommentGate } from '#web/comments/CommentGate.tsx'
import { OlderComments } from '#web/comments/OlderComments.tsx'
import { Said, type SaidWord } from '#web/comments/Said.tsx'
import { useTalk } from '#web/comments/talk.ts'
import { api } from '#web/core/api.ts'
import { passIfGone } from '#web/core/api-error.ts'
import { ConfirmDialog } from '#web/core/form/ConfirmDialog.tsx'
import { useText } from '#web/core/i18n.tsx'
import { Quoted } from '#web/core/Quoted.tsx'
import { ReportDialog } from '#web/flags/ReportDialog.tsx'
import type { ReportSubject } from '#web/flags/report-subject.ts'
import { type Part, Tabs } from '#web/comments/Tabs.tsx'
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
  const talk = useTalk(lesson, rows)
  const count = useCommentCount(lesson)
  const [said, setSaid] = useState<SaidWord | null>(null)
  const [asked, setAsked] = useState<Comment | null>(null)
  const [reported, setReported] = useState<ReportSubject | null>(null)
  const report = useCallback((comment: Comment) => {
    setReported({ kind: 'comment', id: comment.id, name: comment.text })
  }, [])

  const onPosted = (comment: Comment) => {
    talk.post(comment)
    setSaid('commentPosted')
  }
  const onDeleted = (gone: number) => {
    talk.drop(gone)
    setSaid('commentDeleted')
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
        {said !== null && t(said)}
      </p>
      <p className="sr" role="status">
        {talk.arrivals > 0 && (
          <span key={talk.arrivals}>{t('commentsArrived', { count: talk.arrived })}</span>
        )}
      </p>
      <div data-beside>
        <Said
          lesson={lesson}
          talk={talk}
          rows={rows}
          onDelete={setAsked}
          onReport={report}
          onSaid={setSaid}
        />
        {talk.more && <OlderComments left={count - talk.list.length} show={talk.showOlder} />}
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
