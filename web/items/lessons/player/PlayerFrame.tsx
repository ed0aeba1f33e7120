import { useEffect, useRef } from 'react'
import { videoId } from '#contract/video.ts'
import { useText } from '#web/core/i18n.tsx'
import {
  PLAYER_ORIGIN,
  type PlayerListener,
  usePlayerPlace,
} from '#web/items/lessons/player/player-place.ts'
import type { Jump } from '#web/core/video-times/VideoTimes.tsx'
import styles from '#web/ui/styles/Item.module.css'

export interface PlayerFrameProps {
  /** In the embed form. */
  readonly video: string
  readonly title: string
  /** The start in seconds. */
  readonly start: number
  readonly jump: Jump | null
  readonly listener?: PlayerListener | undefined
}

/** The playing video. */
export function PlayerFrame({ video, title, start, jump, listener }: PlayerFrameProps) {
  const { t } = useText()
  const frame = useRef<HTMLIFrameElement>(null)
  usePlayerPlace(frame, jump, listener)
  // The pressed button is gone, so the focus would be lost. Viewers who jumped from a time in the text stay there.
  useEffect(() => {
    if (document.activeElement === null || document.activeElement === document.body)
      frame.current?.focus()
  }, [])
  return (
    <div data-player className={styles.player}>
      <iframe
        ref={frame}
        src={addressOf(video, start)}
        title={t('videoOf', { title })}
        allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
        // YouTube refuses to play for a page without a referrer.
        referrerPolicy="strict-origin-when-cross-origin"
      />
    </div>
  )
}

function addressOf(video: string, start: number): string {
  const query = new URLSearchParams({ autoplay: '1', rel: '0', enablejsapi: '1' })
  if (start > 0) query.set('start', String(start))
  return `${PLAYER_ORIGIN}/embed/${videoId(video) ?? ''}?${query.toString()}`
}
