import { Link } from 'react-router'
import type { LessonCard, OpenLesson } from '#contract/lessons.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { ArticleView } from '#web/lessons/ArticleView.tsx'
import { DeleteButton } from '#web/lessons/DeleteButton.tsx'
import { LessonFacts } from '#web/lessons/LessonFacts.tsx'
import { LessonItem } from '#web/lessons/LessonItem.tsx'
import { Player } from '#web/lessons/Player.tsx'
import { ResourceLink } from '#web/lessons/ResourceLink.tsx'
import { ShareButton } from '#web/lessons/ShareButton.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { LikeButton } from '#web/likes/LikeButton.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'

interface OpenPageProps {
  readonly lesson: OpenLesson
  readonly others: readonly LessonCard[]
}

/** For its owner, its buyers and administrators: everything. */
export function OpenPage({ lesson, others }: OpenPageProps) {
  const { t } = useText()
  return (
    <div className="item open">
      <article>
        <Player video={lesson.video} thumbnail={lesson.thumbnail} title={lesson.title} />
        <div className="titlerow">
          <div>
            <h1 lang={textLanguage(lesson.title)}>{lesson.title}</h1>
            <p className="lede" lang={textLanguage(lesson.description)}>
              {lesson.description}
            </p>
          </div>
          <div className="acts">
            <LikeButton
              kind="lesson"
              id={lesson.id}
              likes={lesson.likes}
              liked={lesson.liked}
              mayLike={lesson.can.like}
            />
            <ShareButton title={lesson.title} path={to.lesson(lesson.id)} />
            {lesson.can.edit && (
              <ButtonLink as={Link} icon="pen" to={to.editLesson(lesson.id)}>
                {t('edit')}
              </ButtonLink>
            )}
            {lesson.can.delete && <DeleteButton item={{ ...lesson, kind: 'lesson' }} />}
          </div>
        </div>
        <div className="reading">
          <div className="margin">
            <LessonFacts lesson={lesson} quiet />
          </div>
          <ArticleView html={lesson.article} />
          <div>
            <ResourceLink resource={lesson.resources} />
          </div>
        </div>
      </article>
      {others.length > 0 && (
        <aside className="side" aria-labelledby="others">
          <h2 id="others">{t('homePopular')}</h2>
          <div className="list">
            {others.map((other) => (
              <LessonItem key={other.id} lesson={other} level="h3" />
            ))}
          </div>
        </aside>
      )}
    </div>
  )
}
