import type { Course } from '#contract/courses.ts'
import type { OpenLesson } from '#contract/lessons.ts'
import { useText } from '#web/core/i18n.tsx'
import type { CourseProgress } from '#web/courses/course-progress.ts'
import { CourseTurn } from '#web/courses/CourseTurn.tsx'
import { ArticleView } from '#web/lessons/ArticleView.tsx'
import { Player } from '#web/lessons/Player.tsx'
import { ResourceLink } from '#web/lessons/ResourceLink.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { Button } from '#web/ui/Button.tsx'

interface CourseLessonViewProps {
  readonly course: Course
  readonly lesson: OpenLesson
  readonly progress: CourseProgress
}

/** The lesson that is open: to watch, to read, to tick off, and the way to the next one. */
export function CourseLessonView({ course, lesson, progress }: CourseLessonViewProps) {
  const { t } = useText()
  const isDone = progress.done.includes(lesson.id)
  const finish = () => progress.mark(lesson.id, true)
  const listener = {
    onPlace: (place: { at: number; of: number }) => {
      progress.visit(lesson.id)
      progress.keepPlace(lesson.id, place)
    },
    onEnd: finish,
  }
  return (
    <>
      <Player
        video={lesson.video}
        thumbnail={lesson.thumbnail}
        title={lesson.title}
        from={isDone ? 0 : progress.placeIn(lesson.id)?.at}
        listener={course.can.see ? listener : undefined}
      />
      <div className="titlerow">
        <div>
          <h2 lang={textLanguage(lesson.title)}>{lesson.title}</h2>
          <p className="lede" lang={textLanguage(lesson.description)}>
            {lesson.description}
          </p>
        </div>
        {course.can.see && (
          <Button
            icon={isDone ? 'undo' : 'check'}
            onClick={() => progress.mark(lesson.id, !isDone)}
          >
            {t(isDone ? 'courseUnmarkDone' : 'courseMarkDone')}
          </Button>
        )}
      </div>
      <div className="course-reading">
        <ArticleView html={lesson.article} />
        <ResourceLink resource={lesson.resources} />
      </div>
      {course.can.see && <CourseTurn course={course} shown={lesson.id} onNext={finish} />}
    </>
  )
}
