import type { ItemKind } from '#contract/points.ts'
import { type PricedItem, useItemOffer } from '#web/items/shared/details/item-offer.ts'
import { BuyPanel } from '#web/items/purchases/BuyPanel.tsx'

export interface OwnOfferProps {
  readonly kind: ItemKind
  readonly item: PricedItem
  /** Set on pages about the price, which phones show without scrolling. */
  readonly leads?: boolean | undefined
}

/** Shows the price to a signed-in viewer. */
export function OwnOffer({ kind, item, leads }: OwnOfferProps) {
  const offer = useItemOffer(kind, item)
  return <BuyPanel mayBuy={item.can.buy} offer={offer} leads={leads} />
}
