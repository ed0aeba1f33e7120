import { useText } from '#web/core/i18n.tsx'
import { timesIn } from '#web/core/video-times/times-in-text.ts'
import { useJumpTo } from '#web/core/video-times/VideoTimes.tsx'
import styles from '#web/ui/styles/Item.module.css'

/** Turns times in a plain text into buttons that jump there in the video on the same page, if there is one. */
export function TimedText({ text }: { readonly text: string }) {
  const { t } = useText()
  const jumpTo = useJumpTo()
  if (jumpTo === null) return text
  return timesIn(text).map((part, place) =>
    typeof part === 'string' ? (
      part
    ) : (
      <button
        key={place}
        type="button"
        data-jump
        className={styles.jump}
        aria-label={t('playFrom', { time: part.text })}
        onClick={() => jumpTo(part.at)}
      >
        {part.text}
      </button>
    ),
  )
}
