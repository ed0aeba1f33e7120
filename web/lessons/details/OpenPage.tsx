import { Link } from 'react-router'
import type { LessonCard, OpenLesson } from '#contract/lessons.schemas.ts'
import { Comments } from '#web/comments/Comments.tsx'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { useSession } from '#web/core/session.ts'
import { textLanguage } from '#web/core/text-language.ts'
import { ReportButton } from '#web/flags/ReportButton.tsx'
import { ArticleView } from '#web/lessons/article/ArticleView.tsx'
import { DeleteButton } from '#web/items/removal/DeleteButton.tsx'
import { LessonFacts } from '#web/lessons/details/LessonFacts.tsx'
import { LessonItem } from '#web/lessons/LessonItem.tsx'
import { useLessonOffer } from '#web/lessons/details/lesson-offer.ts'
import { Player } from '#web/lessons/player/Player.tsx'
import { ResourceLink } from '#web/lessons/resource/ResourceLink.tsx'
import { ShareButton } from '#web/items/sharing/ShareButton.tsx'
import { useVideoPlaces } from '#web/lessons/player/video-places.ts'
import { WriteToOwner } from '#web/items/WriteToOwner.tsx'
import { LikeButton } from '#web/likes/LikeButton.tsx'
import { BuyPanel } from '#web/purchases/BuyPanel.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'

interface OpenPageProps {
  readonly lesson: OpenLesson
  readonly others: readonly LessonCard[]
}

/** For its owner, its buyers, administrators, and everybody where it is a free preview: everything. */
export function OpenPage({ lesson, others }: OpenPageProps) {
  const { t } = useText()
  const isGuest = useSession() === null
  const offer = useLessonOffer(lesson)
  const places = useVideoPlaces()
  const { id, title, owner, can } = lesson
  return (
    <div className="item open">
      <article>
        <Player
          video={lesson.video}
          thumbnail={lesson.thumbnail}
          title={title}
          from={places.placeIn(id)?.at}
          listener={{
            onPlace: (place) => places.savePlace(id, place),
            onEnd: () => places.forgetPlace(id),
          }}
        />
        <div className="titlerow">
          <div>
            <h1 lang={textLanguage(title)} dir="auto">
              {title}
            </h1>
            <p className="lede" lang={textLanguage(lesson.description)} dir="auto">
              {lesson.description}
            </p>
          </div>
          <div className="acts">
            <LikeButton
              kind="lesson"
              id={id}
              likes={lesson.likes}
              liked={lesson.liked}
              mayLike={can.like}
            />
            <ShareButton title={title} path={to.lesson(id)} />
            <WriteToOwner lesson={lesson} />
            {can.edit && (
              <ButtonLink as={Link} icon="pen" to={to.editLesson(id)}>
                {t('edit')}
              </ButtonLink>
            )}
            {can.delete && <DeleteButton item={{ kind: 'lesson', id, title, owner }} />}
            <ReportButton kind="lesson" id={id} name={title} owner={owner} />
          </div>
        </div>
        <div className="reading">
          <div className="margin">
            <LessonFacts lesson={lesson} quiet />
          </div>
          <ArticleView html={lesson.article} />
          <div>
            <ResourceLink resource={lesson.resources} />
            <Comments
              key={id}
              lesson={lesson}
              unlock={<BuyPanel mayBuy={can.buy} offer={offer} />}
            />
          </div>
        </div>
      </article>
      {others.length > 0 && (
        <aside className="side" aria-labelledby="others">
          <h2 id="others">{t(isGuest ? 'homePopular' : 'recommended')}</h2>
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
