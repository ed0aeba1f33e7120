import { videoId } from '#contract/video.ts'
import { Rich } from '#web/core/i18n.tsx'
import { classes } from '#web/ui/classes.ts'
import fieldStyles from '#web/ui/inputs/Field.module.css'
import styles from '#web/ui/styles/Item.module.css'

interface PlayerOutProps {
  readonly video: string
  readonly start: number
}

/** A link to the video's own page, because a frame of another origin doesn't report that it failed. */
export function PlayerOut({ video, start }: PlayerOutProps) {
  return (
    <p className={classes(fieldStyles.help, styles.playerOut)}>
      <Rich
        id="playerFails"
        components={{
          a: <a href={outsideAddress(video, start)} target="_blank" rel="noopener noreferrer" />,
        }}
      />
    </p>
  )
}

/** Returns the address of the video's own page, at the same time. */
function outsideAddress(video: string, start: number): string {
  const query = new URLSearchParams({ v: videoId(video) ?? '' })
  if (start > 0) query.set('t', `${start}s`)
  return `https://www.youtube.com/watch?${query.toString()}`
}
