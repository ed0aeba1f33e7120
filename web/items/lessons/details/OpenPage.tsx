import { useEffect, useEffectEvent } from 'react'
import type { LessonCard, OpenLesson } from '#contract/lessons.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import { useKept } from '#web/core/offline/use-kept.ts'
import { to } from '#web/core/paths.ts'
import { useText } from '#web/core/i18n.tsx'
import { useSession } from '#web/core/session.ts'
import { textLanguage } from '#web/core/text-language.ts'
import { labelSize } from '#web/ui/books/label-size.ts'
import { ArticleView } from '#web/items/lessons/article/ArticleView.tsx'
import { useCommentCount } from '#web/items/comments/comment-count.ts'
import { FollowAuthor } from '#web/items/follows/FollowAuthor.tsx'
import { ItemLine } from '#web/items/shared/details/ItemActs.tsx'
import { Byline, TagList } from '#web/items/shared/details/ItemFacts.tsx'
import type { Because } from '#web/items/lessons/LessonDetailsPage.data.ts'
import { PreviewEnd, PreviewOf } from '#web/items/lessons/details/InCourses.tsx'
import { FocusSwitch } from '#web/items/lessons/focus/FocusSwitch.tsx'
import { LessonTranscript } from '#web/items/captions/LessonTranscript.tsx'
import { Player } from '#web/items/lessons/player/Player.tsx'
import { ResourceLink } from '#web/items/lessons/resource/ResourceLink.tsx'
import { VideoTimes } from '#web/core/video-times/VideoTimes.tsx'
import { useMarks } from '#web/items/progress/use-marks.ts'
import { SelfCheck } from '#web/items/checks/SelfCheck.tsx'
import { ItemResponses } from '#web/items/shared/details/ItemResponses.tsx'
import { LessonsBeside } from '#web/items/lessons/details/LessonsBeside.tsx'
import { LessonNotes } from '#web/items/notes/LessonNotes.tsx'
import { DoneStep } from '#web/items/lessons/details/DoneStep.tsx'
import { VideoGone } from '#web/items/lessons/details/VideoGone.tsx'
import { SignedIn } from '#web/core/SignedIn.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/ui/styles/Item.module.css'

export interface OpenPageProps {
  readonly lesson: OpenLesson
  readonly because: Because
  readonly otherLessons: readonly LessonCard[]
}

const BESIDE = {
  taste: 'recommended',
  unlocked: 'alsoUnlocked',
  tags: 'sameTags',
} as const satisfies Record<Because, MessageKey>

/** For owners, buyers and administrators, and for everybody if the lesson is a free preview. */
export function OpenPage({ lesson, because, otherLessons }: OpenPageProps) {
  const { t } = useText()
  const isGuest = useSession() === null
  const { of, record } = useMarks([lesson.id])
  const tellOpened = useEffectEvent((opened: number) => record(opened, { opened: true }, true))
  useKept(to.lesson(lesson.id), lesson.title)
  const { id, title, courses } = lesson
  const reads = !lesson.can.edit
  useEffect(() => {
    if (reads) tellOpened(id)
  }, [id, reads])
  // Viewers who have the lesson have nothing to unlock in the course.
  const previewed = isGuest || lesson.can.buy ? courses.find(({ free }) => free) : undefined
  return (
    <div className={classes(styles.item, styles.open)}>
      <article>
        <VideoTimes>
          <Player
            lesson={id}
            place="beside"
            video={lesson.video}
            thumbnail={lesson.thumbnail}
            title={title}
            begins={lesson.videoStart}
            from={of(id)?.place?.at}
            listener={{ onPlace: (place, isPaused) => record(id, place, isPaused) }}
          >
            <LessonTranscript lesson={lesson} />
          </Player>
          <VideoGone lesson={lesson} />
          {previewed !== undefined && <PreviewOf course={previewed} />}
          <Opening lesson={lesson} />
          <div className={styles.reading}>
            <ArticleView html={lesson.article} />
            <ResourceLink resource={lesson.resources} />
            <TagList tags={lesson.tags} />
            <SignedIn>
              <SelfCheck lesson={lesson} />
              <DoneStep
                isDone={of(id)?.done === true}
                mark={(done) => record(id, { done }, true)}
              />
            </SignedIn>
            {previewed !== undefined && <PreviewEnd course={previewed} />}
            <ItemResponses
              kind="lesson"
              item={lesson}
              lesson={lesson}
              notes={<LessonNotes key={id} lesson={id} />}
            />
          </div>
        </VideoTimes>
      </article>
      {otherLessons.length > 0 && (
        <aside className={styles.side} data-beside aria-labelledby="otherLessons">
          <h2 id="otherLessons">{t(BESIDE[because])}</h2>
          <LessonsBeside lessons={otherLessons} place="side" />
        </aside>
      )}
    </div>
  )
}

/** The part between the video and the article. */
function Opening({ lesson }: Pick<OpenPageProps, 'lesson'>) {
  const { title, description, owner } = lesson
  // `lesson.comments` holds the comments themselves, so their count has a separate name.
  const comments = useCommentCount(lesson)
  return (
    <div className={styles.opening}>
      <h1
        className={labelSize(title) === 'longest' ? styles.longest : undefined}
        lang={textLanguage(title)}
        dir="auto"
      >
        {title}
      </h1>
      <p className={styles.lede} lang={textLanguage(description)} dir="auto">
        {description}
      </p>
      <div data-beside>
        <Byline item={lesson}>
          <SignedIn>
            <FollowAuthor key={owner} item={lesson} />
          </SignedIn>
        </Byline>
      </div>
      <ItemLine kind="lesson" item={{ ...lesson, comments }}>
        <FocusSwitch />
      </ItemLine>
    </div>
  )
}
