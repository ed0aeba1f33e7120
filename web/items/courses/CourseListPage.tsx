import { CHIPS } from '#contract/numbers.ts'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { CourseItem } from '#web/items/shared/list/CourseItem.tsx'
import { LessonItem } from '#web/items/lessons/LessonItem.tsx'
import type { loader } from '#web/items/courses/CourseListPage.data.ts'
import { ItemList } from '#web/items/shared/list/ItemList.tsx'
import type { ListWords } from '#web/items/shared/list/list-words.ts'

const WORDS: ListWords = {
  title: 'courses',
  count: 'courseCount',
  countMany: 'courseCountMany',
  show: 'showCourses',
  showMany: 'showCoursesMany',
  loading: 'loadingCourses',
  noneAtAll: 'noCoursesAtAll',
  noneFiltered: 'noCoursesFiltered',
  noneFound: 'noCoursesFound',
  create: 'createCourse',
}

export default function CourseListPage() {
  const { query, list, otherMatches, suggestions } = usePageData<typeof loader>()
  return (
    <ItemList
      words={WORDS}
      query={query}
      list={list}
      otherMatches={otherMatches}
      suggestions={suggestions}
      kind="course"
      bands={CHIPS.course.map((name) => [name, list.counts[name]])}
      href={to.courses}
      feed={to.feedOfCourses}
      create={to.createCourse()}
      card={(course, eager) => (
        <CourseItem key={course.id} course={course} level="h2" eager={eager} />
      )}
      lessonCard={(lesson) => (
        <LessonItem key={lesson.id} lesson={lesson} level="h3" found={lesson} />
      )}
    />
  )
}
