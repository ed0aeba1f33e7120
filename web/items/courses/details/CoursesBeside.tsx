import type { CourseCard } from '#contract/courses.ts'
import { CourseItem } from '#web/items/shared/list/CourseItem.tsx'
import { CardGrid } from '#web/ui/books/CardGrid.tsx'

export function CoursesBeside({ courses }: { readonly courses: readonly CourseCard[] }) {
  return (
    <CardGrid>
      {courses.map((course) => (
        <CourseItem key={course.id} course={course} level="h3" />
      ))}
    </CardGrid>
  )
}
