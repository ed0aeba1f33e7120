import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useText } from '#web/core/i18n.tsx'
import { clothIndex } from '#contract/dyes.ts'
import { textLanguage } from '#web/core/text-language.ts'
import { bookPicture, isPatternPaper } from '#web/ui/books/book-picture.ts'
import { useLastJump, useLinkedSecond } from '#web/core/video-times/VideoTimes.tsx'
import { clockTime } from '#contract/clock-time.ts'
import type { PlayerListener } from '#web/items/lessons/player/player-place.ts'
import { PlayerOut } from '#web/items/lessons/player/PlayerOut.tsx'
import { classes } from '#web/ui/classes.ts'
import { labelSize } from '#web/ui/books/label-size.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { Picture } from '#web/ui/books/Picture.tsx'
import styles from '#web/ui/books/Book.module.css'
import itemStyles from '#web/ui/styles/Item.module.css'

const LABELS = { short: undefined, long: itemStyles.long, longest: itemStyles.longest } as const

/** These must match the layout in Item.module.css. */
const SIZES = {
  above: '(min-width: 80rem) 55rem, 100vw',
  beside: '(min-width: 80rem) 39rem, 100vw',
} as const

const PlayerFrame = lazy(async () => {
  const module = await import('#web/items/lessons/player/PlayerFrame.tsx')
  return { default: module.PlayerFrame }
})

interface PlayerProps {
  /** The lesson's id, which determines the colour of the spine. */
  readonly lesson: number
  /** The player's place on a wide screen: above the text or beside it. */
  readonly place: keyof typeof SIZES
  /** In the embed form. */
  readonly video: string
  readonly thumbnail: string
  readonly title: string
  /** The author's start, in seconds. */
  readonly begins: number
  /** Where the viewer stopped, in seconds. */
  readonly from?: number | undefined
  readonly listener?: PlayerListener | undefined
  /** Stands below the video, beside the text on a wide screen. */
  readonly children?: ReactNode
}

/**
 * Shows a picture with a button and loads nothing from other sites before it is pressed. A drawn pattern keeps the
 * book's spine and label, because it says nothing about the video.
 */
export function Player(props: PlayerProps) {
  const {
    lesson,
    place,
    video,
    thumbnail,
    title,
    begins,
    from: left = 0,
    listener,
    children,
  } = props
  const { t } = useText()
  const from = useLinkedSecond() ?? left
  // The start at the moment of the press. The viewer's place moves on while the video plays, but the frame's
  // address must not change.
  const [start, setStart] = useState<number | null>(null)
  const jump = useLastJump()
  if (start === null && jump !== null) setStart(jump.at)
  const picture = (
    <Picture
      {...bookPicture(thumbnail, SIZES[place])}
      alt=""
      width={320}
      height={180}
      fetchPriority="high"
    />
  )
  const cover = (
    <button
      type="button"
      data-player
      className={itemStyles.player}
      onClick={() => setStart(Math.floor(from > 0 ? from : begins))}
    >
      {isPatternPaper(thumbnail) ? (
        <span className={classes(itemStyles.board, styles.board, `cloth-${clothIndex(lesson)}`)}>
          {picture}
          <span
            className={classes(itemStyles.label, styles.label, LABELS[labelSize(title)])}
            lang={textLanguage(title)}
            dir="auto"
            aria-hidden="true"
          >
            {title}
          </span>
        </span>
      ) : (
        picture
      )}
      <span className={itemStyles.cap}>
        <span className={itemStyles.go}>
          <Icon name="play" />
        </span>
        <span>
          {from > 0 ? t('continueAt', { time: clockTime(from) }) : t('playVideo')}
          <small>{t('playHelp')}</small>
        </span>
      </span>
    </button>
  )
  return (
    <div className={itemStyles.watch}>
      {start === null ? (
        cover
      ) : (
        <Suspense fallback={cover}>
          <PlayerFrame video={video} title={title} start={start} jump={jump} listener={listener} />
        </Suspense>
      )}
      {children}
      {start !== null && <PlayerOut video={video} start={start} />}
    </div>
  )
}
