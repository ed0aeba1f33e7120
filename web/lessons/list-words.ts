import type { Sort } from '#contract/items.ts'
import type { LessonPage, LessonQuery } from '#contract/lessons.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import { useText } from '#web/core/i18n.tsx'

const SORTED: Readonly<Record<Sort, MessageKey>> = {
  likes: 'sortedLikes',
  views: 'sortedViews',
  comments: 'sortedComments',
  none: 'sortedNone',
}

/** How many choices of sort and filters are set. */
export function choicesOf(query: LessonQuery): number {
  const set = [query.sort !== 'none', query.views !== 0, query.likes !== 0, query.comments !== 0]
  return set.filter(Boolean).length
}

type Counted = Pick<LessonPage, 'total' | 'more'>

/** "212 lessons, most liked first"; above the exact total "10,000+ lessons, …". */
export function useListCount(): (list: Counted, sort: Sort) => string {
  const { t, formatNumber } = useText()
  return ({ total, more }, sort) => {
    const count = more
      ? t('lessonCountMany', { total: `${formatNumber(total)}+` })
      : t('lessonCount', { total })
    return `${count}, ${t(SORTED[sort])}`
  }
}
