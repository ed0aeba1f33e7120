import { useEffect, useRef, useState } from 'react'
import { videoId } from '#contract/video.ts'
import { Rich, useText } from '#web/core/i18n.tsx'
import { bookPicture } from '#web/items/list/book-picture.ts'
import { clockTime } from '#web/lessons/player/clock-time.ts'
import {
  PLAYER_ORIGIN,
  type PlayerListener,
  usePlayerPlace,
} from '#web/lessons/player/player-place.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { Picture } from '#web/ui/books/Picture.tsx'

const SIZES = '(min-width: 80rem) 55rem, 100vw'

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
  const plays = start !== null
  const frame = useRef<HTMLIFrameElement>(null)
  usePlayerPlace(frame, plays, listener)
  // The button that had the focus is gone.
  useEffect(() => {
    if (plays) frame.current?.focus()
  }, [plays])
  if (plays) {
    return (
      <>
        <div className="player">
          <iframe
            ref={frame}
            src={addressOf(video, start, listener !== undefined)}
            title={t('videoOf', { title })}
            allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
            // The player refuses to play for a page that does not say which it is.
            referrerPolicy="strict-origin-when-cross-origin"
          />
        </div>
        {/* Always: a frame of another origin never tells that it failed. */}
        <p className="help player-out">
          <Rich
            id="playerFails"
            components={{
              a: (
                <a href={outsideAddress(video, start)} target="_blank" rel="noopener noreferrer" />
              ),
            }}
          />
        </p>
      </>
    )
  }
  return (
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
}

/** The video's own page, at the same place. */
function outsideAddress(video: string, start: number): string {
  const query = new URLSearchParams({ v: videoId(video) ?? '' })
  if (start > 0) query.set('t', `${start}s`)
  return `https://www.youtube.com/watch?${query.toString()}`
}

function addressOf(video: string, start: number, tells: boolean): string {
  const query = new URLSearchParams({ autoplay: '1', rel: '0' })
  if (start > 0) query.set('start', String(start))
  if (tells) query.set('enablejsapi', '1')
  return `${PLAYER_ORIGIN}/embed/${videoId(video) ?? ''}?${query.toString()}`
}
