import type { ModeratedComment } from '#contract/comments.ts'
import { useText } from '#web/core/i18n.tsx'
import { OPINIONS } from '#web/operate/moderation/comments/opinions.ts'
import { Meter } from '#web/ui/Meter.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/operate/desk/Desk.module.css'

export function OpinionChip({
  judged,
}: {
  readonly judged: Pick<ModeratedComment, 'prediction' | 'confidence'>
}) {
  const { t, formatPercent } = useText()
  const { prediction, confidence } = judged
  const { name, sign, tone } = OPINIONS[prediction ?? 'NONE']
  const isSure = prediction !== null && prediction !== 'UNKNOWN' && confidence !== null
  return (
    <span className={classes(styles.view, tone)}>
      <span>
        <span aria-hidden="true">{sign}</span> {t(name)}
      </span>
      {isSure && (
        <>
          <span className={classes('num', styles.percent)} aria-hidden="true">
            {formatPercent(confidence)}
          </span>
          <Meter kind="bar-of" value={confidence} max={1} label={t('opinionConfidence')} />
        </>
      )}
    </span>
  )
}
