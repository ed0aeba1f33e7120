import type { Course } from '#contract/courses.schemas.ts'
import type { OpenLesson } from '#contract/lessons.schemas.ts'
import { useText } from '#web/core/i18n.tsx'
import type { CourseProgress } from '#web/courses/details/course-progress.ts'
import { courseTurn } from '#web/courses/details/course-parts.ts'
import { ArticleView } from '#web/lessons/article/ArticleView.tsx'
import { Player } from '#web/lessons/player/Player.tsx'
import type { PlayerPlace } from '#web/lessons/player/player-place.ts'
import { ResourceLink } from '#web/lessons/resource/ResourceLink.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { useVideoPlaces } from '#web/lessons/player/video-places.ts'
import { WriteToOwner } from '#web/items/WriteToOwner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { StateWord } from '#web/ui/books/StateWord.tsx'

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
  const { placeIn, savePlace, forgetPlace } = useVideoPlaces()
  const mayTick = course.can.see
  const listener = {
    onPlace: (place: PlayerPlace) => {
      if (mayTick) progress.visit(lesson.id)
      savePlace(lesson.id, place)
    },
    onEnd: () => {
      if (mayTick) finish()
      forgetPlace(lesson.id)
    },
  }
  return (
    <>
      <Player
        video={lesson.video}
        thumbnail={lesson.thumbnail}
        title={lesson.title}
        from={placeIn(lesson.id)?.at}
        listener={listener}
      />
      <div className="titlerow">
        <div>
          <h2 lang={textLanguage(lesson.title)} dir="auto">
            {lesson.title}
          </h2>
          <p className="lede" lang={textLanguage(lesson.description)} dir="auto">
            {lesson.description}
          </p>
          {course.freePreview === lesson.id && <StateWord icon="eye">{t('freePreview')}</StateWord>}
        </div>
        <div className="acts">
          {mayTick && (
            <Button
              icon={isDone ? 'undo' : 'check'}
              onClick={() => progress.mark(lesson.id, !isDone)}
            >
              {t(isDone ? 'courseUnmarkDone' : 'courseMarkDone')}
            </Button>
          )}
          <WriteToOwner lesson={lesson} />
        </div>
      </div>
      <div className="course-reading">
        <ArticleView html={lesson.article} top={3} />
        <ResourceLink resource={lesson.resources} />
      </div>
      {mayTick && <courseTurn.View course={course} shown={lesson.id} onNext={finish} />}
    </>
  )
}
