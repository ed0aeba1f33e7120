import { useState } from 'react'
import type { Course } from '#contract/courses.ts'
import type { OpenLesson } from '#contract/lessons.ts'
import { useText } from '#web/core/i18n.tsx'
import type { CourseProgress } from '#web/items/courses/details/course-progress.ts'
import { ArticleView } from '#web/items/lessons/article/ArticleView.tsx'
import { DoneStep } from '#web/items/lessons/details/DoneStep.tsx'
import { VideoGone } from '#web/items/lessons/details/VideoGone.tsx'
import { LessonTranscript } from '#web/items/captions/LessonTranscript.tsx'
import { Player } from '#web/items/lessons/player/Player.tsx'
import { ResourceLink } from '#web/items/lessons/resource/ResourceLink.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { StateWord } from '#web/ui/books/StateWord.tsx'
import { CourseCertificate } from '#web/items/certificates/course/CourseCertificate.tsx'
import { SelfCheck } from '#web/items/checks/SelfCheck.tsx'
import { CourseTurn } from '#web/items/courses/details/CourseTurn.tsx'
import { SignedIn } from '#web/core/SignedIn.tsx'
import styles from '#web/ui/styles/Item.module.css'

interface CourseLessonViewProps {
  readonly course: Course
  readonly lesson: OpenLesson
  readonly progress: CourseProgress
}

export function CourseLessonView({ course, lesson, progress }: CourseLessonViewProps) {
  const { t } = useText()
  const mayTick = course.can.see
  const [passes, setPasses] = useState(0)
  return (
    <>
      <Player
        lesson={lesson.id}
        place="above"
        video={lesson.video}
        thumbnail={lesson.thumbnail}
        title={lesson.title}
        begins={lesson.videoStart}
        from={progress.positionIn(lesson.id)?.at}
        listener={{ onPlace: (place, isPaused) => progress.watch(lesson.id, place, isPaused) }}
      >
        <LessonTranscript lesson={lesson} />
      </Player>
      <VideoGone lesson={lesson} />
      <div className={styles.opening}>
        <h2 lang={textLanguage(lesson.title)} dir="auto">
          {lesson.title}
        </h2>
        <p className={styles.lede} lang={textLanguage(lesson.description)} dir="auto">
          {lesson.description}
        </p>
        {course.freePreview === lesson.id && <StateWord icon="eye">{t('freePreview')}</StateWord>}
      </div>
      <div className={styles.reading}>
        <ArticleView html={lesson.article} top={3} />
        <ResourceLink resource={lesson.resources} />
        <SignedIn>
          <SelfCheck
            key={lesson.id}
            lesson={lesson}
            onPassed={() => setPasses((count) => count + 1)}
          />
        </SignedIn>
        {mayTick && (
          <DoneStep
            isDone={progress.done.includes(lesson.id)}
            mark={(done) => progress.mark(lesson.id, done)}
          />
        )}
      </div>
      {mayTick && (
        <SignedIn>
          <CourseTurn course={course} shown={lesson.id} progress={progress} />
        </SignedIn>
      )}
      {mayTick && (
        <SignedIn>
          <CourseCertificate course={course} done={progress.done} passes={passes} />
        </SignedIn>
      )}
    </>
  )
}
