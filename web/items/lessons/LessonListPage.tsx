import { CHIPS } from '#contract/numbers.ts'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { ItemList } from '#web/items/shared/list/ItemList.tsx'
import { LessonItem } from '#web/items/lessons/LessonItem.tsx'
import type { loader } from '#web/items/lessons/LessonListPage.data.ts'
import type { ListWords } from '#web/items/shared/list/list-words.ts'

const WORDS: ListWords = {
  title: 'lessons',
  count: 'lessonCount',
  countMany: 'lessonCountMany',
  show: 'showLessons',
  showMany: 'showLessonsMany',
  loading: 'loadingLessons',
  noneAtAll: 'noLessonsAtAll',
  noneFiltered: 'noLessonsFiltered',
  noneFound: 'noLessonsFound',
  create: 'createLesson',
}

export default function LessonListPage() {
  const { query, list, otherMatches, suggestions } = usePageData<typeof loader>()
  return (
    <ItemList
      words={WORDS}
      query={query}
      list={list}
      otherMatches={otherMatches}
      suggestions={suggestions}
      kind="lesson"
      bands={CHIPS.lesson.map((name) => [name, list.counts[name]])}
      href={to.lessons}
      feed={to.feedOfLessons}
      create={to.createLesson()}
      card={(lesson, eager) => (
        <LessonItem key={lesson.id} lesson={lesson} level="h2" eager={eager} />
      )}
      lessonCard={(lesson) => (
        <LessonItem key={lesson.id} lesson={lesson} level="h3" found={lesson} />
      )}
    />
  )
}
