/** What an administrator does on the page of comments: what is done on every list, and has one judged again. */
import { comments, type ModeratedComment } from '#contract/comments.ts'
import { api } from '#web/core/api.ts'
import { useText } from '#web/core/i18n.tsx'
import { toast } from '#web/core/toast.ts'
import { OPINIONS } from '#web/moderation/comments/opinions.ts'
import { type Desk, useDesk } from '#web/moderation/desk/desk.ts'

export interface CommentDesk extends Desk {
  readonly judge: (id: number) => Promise<void>
}

/** The state of the page of comments; the parameters are those of `useDesk`. */
export function useCommentDesk(list: readonly ModeratedComment[], deleted: boolean): CommentDesk {
  const { t } = useText()
  const desk = useDesk('comment', list, deleted)
  return {
    ...desk,
    judge: (id) =>
      desk.attempt(async () => {
        const { prediction } = await api(comments.judge, { id })
        toast(t('judgedAgain', { opinion: t(OPINIONS[prediction ?? 'NONE'].name) }))
        return null
      }),
  }
}
