import { clockTime } from '#contract/clock-time.ts'
import type { LockedLesson } from '#contract/lessons.ts'
import { useText } from '#web/core/i18n.tsx'
import { languageName } from '#web/items/shared/caption-language.ts'
import { Icon, type IconName } from '#web/ui/Icon.tsx'
import styles from '#web/items/shared/details/Contents.module.css'

export function LessonInside({ lesson }: { readonly lesson: LockedLesson }) {
  const { t, locale, formatNumber } = useText()
  const { captions, words, headings, resource, resourceKind, resourceBytes } = lesson.inside
  const written = t('insideWords', { words, shown: formatNumber(words) })
  const parts = headings === 0 ? t('insideArticleOf') : t('insideHeadings', { headings })
  return (
    <div>
      <h2>{t('inside')}</h2>
      <ul data-contents className={styles.toc}>
        <Part
          icon="film"
          name={t('insideVideo')}
          what={t('insideVideoOn')}
          size={lesson.videoSeconds === null ? undefined : clockTime(lesson.videoSeconds)}
        />
        <Part icon="page" name={t('insideArticle')} what={parts} size={written} />
        {resource && (
          <Part
            icon="clip"
            name={t('insideResource')}
            what={t(resourceBytes === null ? 'insideResourceLink' : 'insideResourceFile')}
            size={resourceSize(resourceKind, resourceBytes, formatNumber)}
          />
        )}
        {captions.length > 0 && (
          <Part
            icon="list"
            name={t('captions')}
            what={captions.map((each) => languageName(locale, each)).join(', ')}
          />
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

const MEGABYTE = 1024 ** 2

/** Formats "PDF, 1.2 MB"; empty for a link whose type and size are unknown. */
function resourceSize(
  kind: string | null,
  bytes: number | null,
  formatNumber: (value: number) => string,
): string | undefined {
  const size =
    bytes === null
      ? null
      : bytes < MEGABYTE / 10
        ? `${formatNumber(Math.ceil(bytes / 1024))} KB`
        : `${formatNumber(Math.round((bytes / MEGABYTE) * 10) / 10)} MB`
  const said = [kind, size].filter((part) => part !== null).join(', ')
  return said === '' ? undefined : said
}

interface PartProps {
  readonly icon: IconName
  readonly name: string
  readonly what: string
  readonly size?: string | undefined
}

function Part({ icon, name, what, size }: PartProps) {
  return (
    <li>
      <Icon name={icon} />
      <b>{name}</b> {what}
      {size !== undefined && (
        <>
          <span className={styles.dots} />
          <span className="num">{size}</span>
        </>
      )}
    </li>
  )
}
