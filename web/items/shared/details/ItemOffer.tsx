import { useSession } from '#web/core/session.ts'
import type { OwnOfferProps } from '#web/items/shared/details/OwnOffer.tsx'
import { GuestOffer } from '#web/items/purchases/GuestOffer.tsx'
import { OwnOffer } from '#web/items/shared/details/OwnOffer.tsx'

/** Shows the price and one action: unlock, earn points first, or register. */
export function ItemOffer({ kind, item, leads }: OwnOfferProps) {
  const isGuest = useSession() === null
  return isGuest ? (
    <GuestOffer kind={kind} price={item.price} leads={leads} />
  ) : (
    <OwnOffer kind={kind} item={item} leads={leads} />
  )
}
