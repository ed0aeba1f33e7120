import { useNavigate } from 'react-router'
import type { Lesson } from '#contract/lessons.schemas.ts'
import { lessons } from '#contract/lessons.ts'
import { api } from '#web/core/api.ts'
import { useReload } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import type { Offer } from '#web/purchases/BuyDialog.tsx'

/** A lesson as something to buy. */
export function useLessonOffer(lesson: Lesson): Offer {
  const navigate = useNavigate()
  const reload = useReload()
  return {
    kind: 'lesson',
    title: lesson.title,
    price: lesson.price,
    buy: () => api(lessons.buy, { id: lesson.id }),
    onBought: () => void navigate(to.boughtLessons()),
    onHeld: () => void reload(),
  }
}
