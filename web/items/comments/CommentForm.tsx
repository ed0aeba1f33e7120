import type { Comment } from '#contract/comments.ts'
import type { OpenLesson } from '#contract/lessons.ts'
import { COMMENT } from '#contract/limits.ts'
import { useCommentWriting, type WritingSubject } from '#web/items/comments/comment-writing.ts'
import { ComposeForm } from '#web/items/comments/ComposeForm.tsx'
import { useText } from '#web/core/i18n.tsx'
import { useSession } from '#web/core/session.ts'

interface CommentFormProps {
  readonly lesson: Pick<OpenLesson, 'id' | 'owner'>
  /** The comment that is answered or edited; undefined for a new thread. */
  readonly subject?: WritingSubject | undefined
  readonly onPosted: (comment: Comment) => void
  readonly onCancel?: () => void
}

/** Only readers who didn't write the lesson are asked how it went. */
const useInvitation = (owner: string) =>
  useSession()?._id === owner ? 'commentPlaceholderOwner' : 'commentPlaceholder'

const FIELD = { reply: 'commentYourReply', edit: 'commentYourChange' } as const
const STEP = { reply: 'commentPostReply', edit: 'saveChanges' } as const

export function CommentForm({ lesson, subject, onPosted, onCancel }: CommentFormProps) {
  const { t } = useText()
  const invitation = useInvitation(lesson.owner)
  const writing = useCommentWriting(lesson.id, subject ?? null, onPosted)
  return (
    <ComposeForm
      writing={writing}
      label={<FieldName subject={subject} />}
      placeholder={subject === undefined ? t(invitation) : undefined}
      rows={3}
      note={<Missing length={writing.length} />}
      step={t(subject === undefined ? 'postComment' : STEP[subject.kind])}
      focusAtOnce={subject !== undefined}
      onCancel={onCancel}
    />
  )
}

function Missing({ length }: { readonly length: number }) {
  const { t } = useText()
  if (length === 0) return t('commentNeeds', { ...COMMENT })
  if (length < COMMENT.min) return t('commentShort', { missing: COMMENT.min - length })
  if (length > COMMENT.max) return t('commentLong', { over: length - COMMENT.max })
  return <span className="by-keys">{t('commentKeys')}</span>
}

function FieldName({ subject }: Pick<CommentFormProps, 'subject'>) {
  const { t } = useText()
  if (subject === undefined) return t('yourComment')
  return t(FIELD[subject.kind], { name: subject.comment.userName })
}
