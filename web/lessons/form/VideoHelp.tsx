import { useText } from '#web/core/i18n.tsx'
import styles from '#web/ui/inputs/Form.module.css'

interface VideoHelpProps {
  /** Of the video, while the lesson has none; null where there is none to offer. */
  readonly title: string | null
  /** The video's picture is offered where pictures are chosen. */
  readonly hasPicture: boolean
  readonly onTake: (title: string) => void
}

/** Below the link: which links there are; once the video is known, in the same line, its title to be taken. */
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
