import { useText } from '#web/core/i18n.tsx'
import styles from '#web/ui/inputs/Form.module.css'

interface VideoHelpProps {
  /** The video's title, while the lesson has none; null when there is none to offer. */
  readonly title: string | null
  /** True when the picture's field offers the video's picture. */
  readonly hasPicture: boolean
  /** True if the video can't be embedded. */
  readonly isGone: boolean
  readonly onTake: (title: string) => void
}

/** Lists the supported links. Once the video is known, the same line offers its title, or warns. */
export function VideoHelp({ title, hasPicture, isGone, onTake }: VideoHelpProps) {
  const { t } = useText()
  return (
    <>
      {title === null && !isGone && t('videoHelp')}
      <span role="status">
        {isGone && <b>{t('videoNotPlayable')}</b>}
        {title !== null && (
          <button type="button" className={styles.asLink} onClick={() => onTake(title)}>
            {t('useVideoTitle', { title })}
          </button>
        )}
        {hasPicture && <span className="sr"> {t('videoPictureOffered')}</span>}
      </span>
    </>
  )
}
