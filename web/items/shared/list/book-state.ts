import type { LessonCard } from '#contract/lessons.ts'
import type { Texts } from '#web/core/i18n.tsx'
import type { BookState } from '#web/ui/books/Book.tsx'

type Priced = Pick<LessonCard, 'bought' | 'free' | 'price'>

export function bookState(
  { bought, free, price }: Priced,
  isOwn: boolean,
  texts: Texts,
): BookState {
  if (isOwn) return { kind: 'yours' }
  if (bought === true) return { kind: 'owned' }
  if (free) return { kind: 'free', words: texts.t('freeBand') }
  return { kind: 'sealed', price: texts.formatNumber(price), unit: texts.t('kbPoints') }
}
