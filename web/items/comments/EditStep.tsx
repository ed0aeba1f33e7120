import { useEffect, useState } from 'react'
import type { Comment } from '#contract/comments.ts'
import { COMMENT_EDIT_MINUTES } from '#contract/limits.ts'
import { useText } from '#web/core/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'

interface EditStepProps {
  readonly comment: Comment
  readonly onEdit: (comment: Comment) => void
}

const leftOf = (date: string) => Date.parse(date) + COMMENT_EDIT_MINUTES * 60_000 - Date.now()

/** The server accepts edits only for a limited time, so the button disappears when that has passed. */
export function EditStep({ comment, onEdit }: EditStepProps) {
  const { t } = useText()
  // Only the browser knows the current time, because the page may have been rendered a while ago.
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const left = leftOf(comment.date)
    if (left <= 0) return undefined
    const timers = [setTimeout(() => setOpen(true)), setTimeout(() => setOpen(false), left)]
    return () => timers.forEach(clearTimeout)
  }, [comment.date])
  if (!isOpen) return null
  return (
    <Button
      kind="bare"
      icon="pen"
      className="small"
      aria-describedby={`comment-${comment.id}`}
      onClick={() => onEdit(comment)}
    >
      {t('edit')}
    </Button>
  )
}
