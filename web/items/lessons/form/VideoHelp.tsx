import { useText } from '#web/core/i18n.tsx'
import styles from '#web/ui/inputs/Form.module.css'

interface VideoHelpProps {
  /** The video's title, while the lesson has none; null when there is none to offer. */
  readonly title: string | null
  /** True when the picture's field offers the video's picture. */
  readonly hasPicture: boolean
  readonly onTake: (title: string) => void
}

/** Lists the supported links. Once the video is known, the same line offers its title. */
export function VideoHelp({ title, hasPicture, onTake }: VideoHelpProps) {
  const { t } = useText()
  return (
    <>
      {title === null && t('videoHelp')}
      <span role="status">
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
