import type { ReactNode } from 'react'
import { Link } from '#web/core/router/Link.tsx'
import type { Returnable } from '#contract/items.ts'
import type { ItemKind } from '#contract/points.ts'
import { useText } from '#web/core/i18n.tsx'
import { useHere } from '#web/core/here.ts'
import { to } from '#web/core/paths.ts'
import { useSession } from '#web/core/session.ts'
import { ItemNumbers } from '#web/items/shared/list/ItemNumbers.tsx'
import { OwnActs, type OwnActsProps } from '#web/items/shared/details/OwnActs.tsx'
import { ShareButton } from '#web/items/shared/sharing/ShareButton.tsx'
import type { NumberedItem } from '#web/items/shared/numbers.ts'
import { ReturnButton } from '#web/items/purchases/ReturnButton.tsx'
import { LikeButton } from '#web/items/likes/LikeButton.tsx'
import type { RatedItem } from '#web/items/ratings/RatingMark.tsx'
import { SignedIn } from '#web/core/SignedIn.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/ui/styles/Item.module.css'

interface ItemActsProps {
  readonly kind: ItemKind
  readonly item: OwnActsProps['item'] & { readonly likes: number; readonly liked: boolean }
  /** Actions of this kind of item only. */
  readonly children?: ReactNode
}

/** The actions on an item that the viewer may take, for the pages of both kinds. */
export function ItemActs({ kind, item, children }: ItemActsProps) {
  const { t } = useText()
  const here = useHere()
  const isGuest = useSession() === null
  const { id, title, likes, liked, can } = item
  return (
    <div data-acts className={classes('acts', styles.itemActs)}>
      <SignedIn>
        <LikeButton kind={kind} id={id} likes={likes} liked={liked} mayLike={can.like} />
      </SignedIn>
      <ShareButton title={title} path={kind === 'lesson' ? to.lesson(id) : to.course(id)} />
      {children}
      {isGuest ? (
        <ButtonLink as={Link} kind="bare" icon="flag" title={t('report')} to={to.login(here)}>
          {t('report')}
        </ButtonLink>
      ) : (
        <OwnActs kind={kind} item={item} />
      )}
    </div>
  )
}

interface ItemLineProps<Kind extends ItemKind> {
  readonly kind: Kind
  readonly item: ItemActsProps['item'] &
    NumberedItem<Kind> &
    RatedItem & { readonly returnable: Returnable }
  readonly children: ReactNode
}

/** The actions and the item's numbers in one line, above the content of an open page. A return has its own line. */
export function ItemLine<Kind extends ItemKind>({ kind, item, children }: ItemLineProps<Kind>) {
  return (
    <>
      <div data-line className={styles.line}>
        <ItemActs kind={kind} item={item}>
          {children}
        </ItemActs>
        <p data-figures data-beside className={classes('quiet', styles.figures)}>
          <ItemNumbers kind={kind} item={item} form="line" />
        </p>
      </div>
      {item.returnable !== null && <ReturnButton kind={kind} item={item} offer={item.returnable} />}
    </>
  )
}
