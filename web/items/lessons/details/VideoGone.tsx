import type { Lesson } from '#contract/lessons.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import { useText } from '#web/core/i18n.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import styles from './VideoGone.module.css'

interface VideoGoneProps {
  readonly lesson: Pick<Lesson, 'can' | 'videoGone' | 'returnable'>
}

/** Says that the video can't be played, and what that means for the viewer. */
export function VideoGone({ lesson }: VideoGoneProps) {
  const { t } = useText()
  if (!lesson.videoGone) return null
  return (
    <div className={styles.gone} role="note">
      <Icon name="film" />
      <p>
        <b>{t('videoGoneNow')}</b> <br />
        {t(meaningOf(lesson))}
      </p>
    </div>
  )
}

function meaningOf({ can, returnable }: VideoGoneProps['lesson']): MessageKey {
  if (can.edit) return 'videoGoneOwn'
  if (returnable !== null) return 'videoGoneReturn'
  return can.see ? 'videoGoneOpen' : 'videoGoneLocked'
}
