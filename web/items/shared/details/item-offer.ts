import { createElement } from 'react'
import { useNavigate } from 'react-router'
import { courses } from '#contract/courses.ts'
import { lessons } from '#contract/lessons.ts'
import type { ItemKind } from '#contract/points.ts'
import { trust } from '#contract/trust.ts'
import { api } from '#web/core/api.ts'
import { leaveMoment } from '#web/core/moments/moment.ts'
import { useReload } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { useSession } from '#web/core/session.ts'
import { TornBand } from '#web/items/shared/moments/TornBand.tsx'
import type { Offer } from '#web/items/purchases/BuyDialog.tsx'

export interface PricedItem {
  readonly id: number
  readonly title: string
  readonly price: number
  /** `trust` only for locked lessons. */
  readonly can: { readonly buy: boolean; readonly trust?: boolean }
}

/** Describes an item for the purchase. After it the buyer continues at the list of bought items of this kind. */
export function useItemOffer(kind: ItemKind, { id, title, price, can }: PricedItem): Offer {
  const navigate = useNavigate()
  const reload = useReload()
  const isLesson = kind === 'lesson'
  const kbPoints = useSession()?.kbPoints ?? 0
  // The points may have come from another tab, after this page was read.
  const isOnTrust = can.trust === true && kbPoints < price
  const call = isOnTrust ? trust.unlock : isLesson ? lessons.buy : courses.buy
  return {
    kind,
    title,
    price,
    isOnTrust,
    path: isLesson ? to.lesson(id) : to.course(id),
    buy: () => api(call, { id }),
    onBought: () => {
      const bought = isLesson ? to.boughtLessons() : to.boughtCourses()
      leaveMoment(bought, createElement(TornBand, { price }))
      void navigate(bought)
    },
    onHeld: () => void reload(),
  }
}
