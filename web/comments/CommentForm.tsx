import {
  type KeyboardEvent,
  type SyntheticEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { Comment } from '#contract/comments.schemas.ts'
import type { OpenLesson } from '#contract/lessons.schemas.ts'
import { COMMENT } from '#contract/limits.ts'
import { useCommentWriting } from '#web/comments/comment-writing.ts'
import { useText } from '#web/core/i18n.tsx'
import { useSession } from '#web/core/session.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { TextArea } from '#web/ui/inputs/TextArea.tsx'
import { classes } from '#web/ui/classes.ts'

interface CommentFormProps {
  readonly lesson: Pick<OpenLesson, 'id' | 'owner'>
  readonly onPosted: (comment: Comment) => void
}

/** Whoever wrote the lesson is not asked how it went. */
const useInvitation = (owner: string) =>
  useSession()?._id === owner ? 'commentPlaceholderOwner' : 'commentPlaceholder'

/** Writes a comment; Ctrl+Enter sends. A refused text stays where it is. */
export function CommentForm({ lesson, onPosted }: CommentFormProps) {
  const { t, tp } = useText()
  const id = useId()
  const { text, length, wrong, refusal, busy, write, send } = useCommentWriting(lesson.id, onPosted)
  const box = useRef<HTMLTextAreaElement>(null)
  const [left, setLeft] = useState(false)
  const isWrong = left && wrong !== null && length > 0
  const isOver = length > COMMENT.max || isWrong

  // Told by hand: React would also write each text into the element's content, and every such write has the browser
  // look through the whole page again, 5,000 comments included.
  useLayoutEffect(() => {
    if (box.current !== null && box.current.value !== text) box.current.value = text
  }, [text])

  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    setLeft(true)
    if (wrong !== null) return
    void send().then(() => {
      setLeft(false)
      // The button goes out with the text; whoever pressed it by key would be left nowhere.
      box.current?.focus()
    })
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    event.currentTarget.form?.requestSubmit()
  }
  return (
    <form className="compose" noValidate onSubmit={submit}>
      <label className="sr" htmlFor={id}>
        {t('yourComment')}
      </label>
      <TextArea
        id={id}
        ref={box}
        rows={3}
        dir="auto"
        placeholder={t(useInvitation(lesson.owner))}
        aria-describedby={`${id}-note ${id}-count`}
        aria-invalid={isWrong || undefined}
        onChange={(event) => write(event.target.value)}
        onBlur={() => setLeft(true)}
        onKeyDown={onKeyDown}
      />
      <div className="foot-row">
        {isWrong ? (
          <p className="error" id={`${id}-note`}>
            <Icon name="warn" />
            {tp(wrong)}
          </p>
        ) : (
          <p className="help" id={`${id}-note`}>
            <Missing length={length} />
          </p>
        )}
        <span className={classes('count', isOver && 'over')} id={`${id}-count`}>
          {t('count', { length, max: COMMENT.max })}
        </span>
        <Button
          kind="main"
          type="submit"
          busy={busy}
          disabled={wrong !== null}
          aria-describedby={wrong === null ? undefined : `${id}-note`}
        >
          {t('postComment')}
        </Button>
      </div>
      {refusal !== null && (
        <p className="error" role="alert" key={refusal.number}>
          <Icon name="warn" />
          {refusal.text}
        </p>
      )}
    </form>
  )
}

/** Why the button waits; the way by keyboard when it does not. */
function Missing({ length }: { readonly length: number }) {
  const { t } = useText()
  if (length === 0) return t('commentNeeds', { ...COMMENT })
  if (length < COMMENT.min) return t('commentShort', { missing: COMMENT.min - length })
  if (length > COMMENT.max) return t('commentLong', { over: length - COMMENT.max })
  return t('commentKeys')
}
