import type { Person } from '#contract/render.ts'
import type { LessonCard } from '#contract/lessons.schemas.ts'
import { useSession } from '#web/core/session.ts'
import { type Texts, useText } from '#web/core/i18n.tsx'
import type { BookState } from '#web/ui/books/Book.tsx'

type Priced = Pick<LessonCard, 'owner' | 'bought' | 'price'>

function stateOf({ owner, bought, price }: Priced, person: Person | null, texts: Texts): BookState {
  if (person !== null && owner === person._id) return { kind: 'yours' }
  if (bought === true) return { kind: 'owned' }
  return { kind: 'sealed', price: texts.formatNumber(price), unit: texts.t('kbPoints') }
}

/** How a lesson's book looks to who is looking. */
export function useBookState(lesson: Priced): BookState {
  return stateOf(lesson, useSession(), useText())
}
