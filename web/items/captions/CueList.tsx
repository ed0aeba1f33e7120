import { memo, type KeyboardEvent, type MouseEvent, type RefObject } from 'react'
import type { Cue } from '#contract/captions.ts'
import { clockTime } from '#contract/clock-time.ts'
import type { CaptionLanguage } from '#contract/items.ts'
import { useText } from '#web/core/i18n.tsx'
import { partsOf } from '#web/items/captions/cue-parts.ts'
import { useJumpTo } from '#web/core/video-times/VideoTimes.tsx'
import styles from './Captions.module.css'

interface CueListProps {
  readonly list: RefObject<HTMLDivElement | null>
  readonly cues: readonly Cue[]
  readonly language: CaptionLanguage
  /** The folded search term, or an empty string. */
  readonly term: string
}

/**
 * Up to 10,000 lines, so one listener serves all, and the list is one stop of the Tab key, in which the arrow keys
 * move. The line that is spoken is marked without rendering (current-cue.ts).
 */
export const CueList = memo(function CueList({ list, cues, language, term }: CueListProps) {
  const { t } = useText()
  const jumpTo = useJumpTo()
  const press = ({ target }: MouseEvent) => {
    const at = target instanceof HTMLElement ? target.closest('button')?.value : undefined
    if (at !== undefined) jumpTo?.(Number(at))
  }
  if (cues.length === 0) return <p className="quiet">{t('transcriptNothing')}</p>
  return (
    <div
      ref={list}
      className={styles.cues}
      role="group"
      aria-label={t('transcriptLines')}
      tabIndex={0}
      onClick={press}
      onKeyDown={move}
    >
      {partsOf(cues).map((part) => (
        <ol key={`${term} ${part.first}`} lang={language} start={part.first + 1}>
          {part.lines.map(({ from, text }, place) => (
            <li key={place}>
              <button
                type="button"
                tabIndex={-1}
                value={from}
                data-cue={part.first + place}
                data-time={clockTime(from)}
              >
                {text}
              </button>
            </li>
          ))}
        </ol>
      ))}
    </div>
  )
})

/** Moves the focus among the lines. */
function move(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key]
  if (step === undefined) return
  const lines = event.currentTarget.querySelectorAll<HTMLElement>('button')
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement : null
  const spoken = event.currentTarget.querySelector<HTMLElement>('[aria-current]')
  const from = focused?.dataset['cue'] ?? spoken?.dataset['cue']
  const next = from === undefined ? 0 : Number(from) + (focused?.dataset['cue'] ? step : 0)
  event.preventDefault()
  lines[Math.min(lines.length - 1, Math.max(0, next))]?.focus()
}
