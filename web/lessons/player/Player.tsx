import { Suspense, useState } from 'react'
import { useText } from '#web/core/i18n.tsx'
import { lazyPart } from '#web/core/router/page-view.ts'
import { bookPicture } from '#web/items/list/book-picture.ts'
import { clockTime } from '#web/lessons/player/clock-time.ts'
import type { PlayerListener } from '#web/lessons/player/player-place.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { Picture } from '#web/ui/books/Picture.tsx'

const SIZES = '(min-width: 80rem) 55rem, 100vw'

const PlayerFrame = lazyPart('lessons/player/PlayerFrame', async () => {
  const module = await import('#web/lessons/player/PlayerFrame.tsx')
  return module.PlayerFrame
})

interface PlayerProps {
  /** In the embed form. */
  readonly video: string
  readonly thumbnail: string
  readonly title: string
  /** Where it goes on, in seconds. */
  readonly from?: number | undefined
  readonly listener?: PlayerListener | undefined
}

/** A picture with a button; nothing comes from elsewhere before it is pressed. */
export function Player({ video, thumbnail, title, from = 0, listener }: PlayerProps) {
  const { t } = useText()
  // Where it was when it was pressed: the place moves on while it plays, the address must not.
  const [start, setStart] = useState<number | null>(null)
  const cover = (
    <button type="button" className="player" onClick={() => setStart(Math.floor(from))}>
      <Picture
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
          {from > 0 ? t('continueAt', { time: clockTime(from) }) : t('playVideo')}
          <small>{t('playHelp')}</small>
        </span>
      </span>
    </button>
  )
  if (start === null) return cover
  return (
    <Suspense fallback={cover}>
      <PlayerFrame video={video} title={title} start={start} listener={listener} />
    </Suspense>
  )
}
