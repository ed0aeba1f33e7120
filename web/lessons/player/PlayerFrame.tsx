import { useEffect, useRef } from 'react'
import { videoId } from '#contract/video.ts'
import { Rich, useText } from '#web/core/i18n.tsx'
import {
  PLAYER_ORIGIN,
  type PlayerListener,
  usePlayerPlace,
} from '#web/lessons/player/player-place.ts'
import type { Jump } from '#web/core/video-times/VideoTimes.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/ui/styles/Item.module.css'
import fieldStyles from '#web/ui/inputs/Field.module.css'

export interface PlayerFrameProps {
  /** In the embed form. */
  readonly video: string
  readonly title: string
  /** Where it begins, in seconds. */
  readonly start: number
  /** Where somebody wants to be since. */
  readonly jump: Jump | null
  readonly listener?: PlayerListener | undefined
}

/** The video itself, which begins to play, and the way to it when its frame fails. */
export function PlayerFrame({ video, title, start, jump, listener }: PlayerFrameProps) {
  const { t } = useText()
  const frame = useRef<HTMLIFrameElement>(null)
  usePlayerPlace(frame, jump, listener)
  // The button that had the focus is gone; who came by a time in the text stays there.
  useEffect(() => {
    if (document.activeElement === null || document.activeElement === document.body)
      frame.current?.focus()
  }, [])
  return (
    <>
      <div data-player className={styles.player}>
        <iframe
          ref={frame}
          src={addressOf(video, start)}
          title={t('videoOf', { title })}
          allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
          // The player refuses to play for a page that does not say which it is.
          referrerPolicy="strict-origin-when-cross-origin"
        />
      </div>
      {/* Always: a frame of another origin never tells that it failed. */}
      <p className={classes(fieldStyles.help, styles.playerOut)}>
        <Rich
          id="playerFails"
          components={{
            a: <a href={outsideAddress(video, start)} target="_blank" rel="noopener noreferrer" />,
          }}
        />
      </p>
    </>
  )
}

/** The video's own page, at the same place. */
function outsideAddress(video: string, start: number): string {
  const query = new URLSearchParams({ v: videoId(video) ?? '' })
  if (start > 0) query.set('t', `${start}s`)
  return `https://www.youtube.com/watch?${query.toString()}`
}

function addressOf(video: string, start: number): string {
  const query = new URLSearchParams({ autoplay: '1', rel: '0', enablejsapi: '1' })
  if (start > 0) query.set('start', String(start))
  return `${PLAYER_ORIGIN}/embed/${videoId(video) ?? ''}?${query.toString()}`
}
