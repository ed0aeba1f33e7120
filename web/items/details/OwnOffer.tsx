import type { ItemKind } from '#contract/points.ts'
import { type PricedItem, useItemOffer } from '#web/items/details/item-offer.ts'
import { BuyPanel } from '#web/purchases/BuyPanel.tsx'

export interface OwnOfferProps {
  readonly kind: ItemKind
  readonly item: PricedItem & { readonly can: { readonly buy: boolean } }
  /** The page is about the price: a phone shows it from the start. */
  readonly leads?: boolean | undefined
}

/** What an item costs somebody who is signed in. */
export function OwnOffer({ kind, item, leads }: OwnOfferProps) {
  const offer = useItemOffer(kind, item)
  return <BuyPanel mayBuy={item.can.buy} offer={offer} leads={leads} />
}
