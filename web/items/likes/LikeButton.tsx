import { useText } from '#web/core/i18n.tsx'
import { type LikedKind, useLikes } from '#web/items/likes/likes-given.ts'
import { useLike } from '#web/items/likes/use-like.ts'
import { buttonClass } from '#web/ui/button-look.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './LikeButton.module.css'
import fieldStyles from '#web/ui/inputs/Field.module.css'

export interface LikeButtonProps {
  readonly kind: LikedKind
  readonly id: number
  /** The values from the item's data. */
  readonly likes: number
  readonly liked: boolean
  /** The server's `can.like`. Owners and guests see no button. */
  readonly mayLike: boolean
}

/** Animates a heart with particles for 700 ms. A like cannot be undone. */
export function LikeButton({ kind, id, likes, liked, mayLike }: LikeButtonProps) {
  const { t, formatNumber } = useText()
  const now = useLikes(kind, { id, likes, liked })
  const { bursting, failure, like } = useLike(kind, id, likes)
  const isDone = now.liked && !bursting
  if (!mayLike && !now.liked) return null
  const count = `${formatNumber(now.likes)} ${t('likesUnit', { count: now.likes })}`
  return (
    <>
      <button
        type="button"
        className={buttonClass({ kind: 'bare' }, classes(styles.like, bursting && styles.burst))}
        // `disabled` would take the focus from the pressed button.
        aria-disabled={isDone || undefined}
        data-bursting={bursting || undefined}
        onClick={(event) => {
          if (!isDone) void like(event.currentTarget)
        }}
      >
        <Icon name="heart" filled={now.liked} />
        {t(isDone ? 'liked' : 'like')}
      </button>
      <span className="sr" role="status">
        {isDone && !liked && `${t('liked')}: ${count}`}
      </span>
      {failure !== null && (
        <p data-error className={fieldStyles.error} role="alert">
          <Icon name="warn" />
          {failure}
        </p>
      )}
    </>
  )
}
