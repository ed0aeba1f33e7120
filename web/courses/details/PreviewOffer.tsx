import type { Course } from '#contract/courses.schemas.ts'
import { useText } from '#web/core/i18n.tsx'
import { useItemOffer } from '#web/items/details/item-offer.ts'
import { BuyPanel } from '#web/purchases/BuyPanel.tsx'

/** Below a free preview: how many lessons more there are, and how to have them. */
export function PreviewOffer({ course }: { readonly course: Course }) {
  const { t } = useText()
  const offer = useItemOffer('course', course)
  return (
    <div className="preview-offer">
      <p>{t('coursePreviewNote', { others: course.lessons.length - 1 })}</p>
      <BuyPanel mayBuy={course.can.buy} offer={offer} />
    </div>
  )
}
