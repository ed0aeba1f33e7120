import { useState } from 'react'
import { videoId } from '#contract/video.ts'
import { useText } from '#web/core/i18n.tsx'
import { bookPicture } from '#web/lessons/book-picture.ts'
import { Icon } from '#web/ui/Icon.tsx'

const SIZES = '(min-width: 80rem) 55rem, 100vw'

interface PlayerProps {
  /** In the embed form. */
  readonly video: string
  readonly thumbnail: string
  readonly title: string
}

/** A picture with a button; nothing comes from elsewhere before it is pressed. */
export function Player({ video, thumbnail, title }: PlayerProps) {
  const { t } = useText()
  const [plays, setPlays] = useState(false)
  if (plays) {
    return (
      <div className="player">
        <iframe
          // The button that had the focus is gone.
          ref={(frame) => frame?.focus()}
          src={`https://www.youtube-nocookie.com/embed/${videoId(video) ?? ''}?autoplay=1&rel=0`}
          title={t('videoOf', { title })}
          allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
          // The player refuses to play for a page that does not say which it is.
          referrerPolicy="strict-origin-when-cross-origin"
        />
      </div>
    )
  }
  return (
    <button type="button" className="player" onClick={() => setPlays(true)}>
      <img
        {...bookPicture(thumbnail, SIZES)}
        alt=""
        width={320}
        height={180}
        fetchPriority="high"
      />
      <span className="cap">
        <span className="go">
          <Icon name="play" />
        </span>
        <span>
          {t('playVideo')}
          <small>{t('playHelp')}</small>
        </span>
      </span>
    </button>
  )
}
