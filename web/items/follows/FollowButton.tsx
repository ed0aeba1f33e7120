import { follows, type Following } from '#contract/follows.ts'
import { api } from '#web/core/api.ts'
import { useSending } from '#web/core/form/use-sending.ts'
import { useText } from '#web/core/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import styles from '#web/ui/inputs/Field.module.css'

interface FollowButtonProps {
  readonly person: { readonly id: string; readonly userName: string }
  readonly following: boolean
  /** Without a border, for a place beside a name. */
  readonly bare?: boolean | undefined
  /** Called with the server's answer. */
  readonly onChange: (now: Following) => void
}

/** Needs no confirmation, because a second press undoes the first. */
export function FollowButton({ person, following, bare, onChange }: FollowButtonProps) {
  const { id, userName: username } = person
  const { t } = useText()
  const { busy, failure, send } = useSending()
  const change = () =>
    send(async () => onChange(await api(following ? follows.unfollow : follows.follow, { id })))
  return (
    <>
      <Button
        kind={bare ? 'bare' : undefined}
        icon={following ? undefined : 'plus'}
        busy={busy}
        aria-label={t(following ? 'unfollowPerson' : 'followPerson', { username })}
        onClick={() => void change()}
      >
        {t(following ? 'unfollow' : 'follow')}
      </Button>
      {failure !== null && (
        <span data-error className={styles.error} role="alert">
          {failure.text}
        </span>
      )}
    </>
  )
}
