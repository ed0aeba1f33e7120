import type { LockedLesson } from '#contract/lessons.schemas.ts'
import { useText } from '#web/core/i18n.tsx'
import { Icon, type IconName } from '#web/ui/Icon.tsx'

/** What one gets, as a table of contents. */
export function LessonInside({ lesson }: { readonly lesson: LockedLesson }) {
  const { t, formatNumber } = useText()
  const minutes = t('insideMinutes', { minutes: formatNumber(lesson.inside.articleMinutes) })
  return (
    <div>
      <h2>{t('inside')}</h2>
      <ul className="toc">
        <Part icon="film" name={t('insideVideo')} what={t('insideVideoOn')} />
        <Part icon="page" name={t('insideArticle')} what={t('insideArticleOf')} size={minutes} />
        {lesson.inside.resource && (
          <Part icon="clip" name={t('insideResource')} what={t('insideResourceFor')} />
        )}
        <Part
          icon="talk"
          name={t('insideComments')}
          what={t('insideCommentsFor')}
          size={formatNumber(lesson.commentCount)}
        />
      </ul>
    </div>
  )
}

interface PartProps {
  readonly icon: IconName
  readonly name: string
  readonly what: string
  readonly size?: string
}

function Part({ icon, name, what, size }: PartProps) {
  return (
    <li>
      <Icon name={icon} />
      <b>{name}</b> {what}
      {size !== undefined && (
        <>
          <span className="dots" />
          <span className="num">{size}</span>
        </>
      )}
    </li>
  )
}
