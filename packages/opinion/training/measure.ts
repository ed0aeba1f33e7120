/** Compares judged comments with labels given by people. */
import type { Comment } from './corpus.ts'
import { LABELS, type Label } from '../src/labels.ts'

export interface Measured {
  readonly comment: Comment
  readonly label: Label
  readonly confidence: number
}

const ALL = [...LABELS, 'UNKNOWN'] as const

interface LabelFigures {
  readonly label: Label
  readonly precision: number
  readonly recall: number
  readonly f1: number
  /** For each predicted label in order, the number of comments with this true label. */
  readonly called: readonly number[]
}

export interface Figures {
  readonly comments: number
  readonly accuracy: number
  /** Mean F1 of POSITIVE, NEUTRAL, NEGATIVE and TOXIC. */
  readonly macroF1: number
  readonly labels: readonly LabelFigures[]
  /** TOXIC comments judged POSITIVE. */
  readonly praisedInsults: number
}

const share = (part: number, whole: number) => (whole === 0 ? 0 : part / whole)

/** Macro F1 ignores UNKNOWN, because it measures how well the four opinions are distinguished. */
export function measure(judged: readonly Measured[]): Figures {
  const count = (is: (one: Measured) => boolean) => judged.filter(is).length
  const labels = ALL.map((label): LabelFigures => {
    const right = count((one) => one.label === label && one.comment.label === label)
    const precision = share(
      right,
      count((one) => one.label === label),
    )
    const recall = share(
      right,
      count((one) => one.comment.label === label),
    )
    return {
      label,
      precision,
      recall,
      f1: share(2 * precision * recall, precision + recall),
      called: ALL.map((other) =>
        count((one) => one.comment.label === label && one.label === other),
      ),
    }
  })
  const spoken = labels.filter(({ label }) => label !== 'UNKNOWN')
  return {
    comments: judged.length,
    accuracy: share(
      count((one) => one.label === one.comment.label),
      judged.length,
    ),
    macroF1: share(
      spoken.reduce((sum, { f1 }) => sum + f1, 0),
      spoken.length,
    ),
    labels,
    praisedInsults: count((one) => one.comment.label === 'TOXIC' && one.label === 'POSITIVE'),
  }
}

const percent = (value: number) => `${(100 * value).toFixed(1)} %`.padStart(8)

/** Formats the figures as a plain-text table. */
export function describeFigures(title: string, figures: Figures): string {
  const head = `${title}: ${figures.comments} comments, accuracy ${percent(figures.accuracy).trim()}, macro-F1 ${figures.macroF1.toFixed(3)}, insults called POSITIVE: ${figures.praisedInsults}`
  const names = ALL.map((label) => label.padStart(9)).join('')
  const rows = figures.labels.map(
    ({ label, precision, recall, f1, called }) =>
      `${label.padEnd(9)}${percent(precision)} ${percent(recall)} ${f1.toFixed(3)}  |${called.map((calls) => String(calls).padStart(9)).join('')}`,
  )
  return [head, `${'is'.padEnd(9)}precision  recall    F1  |${names}  <- called`, ...rows].join(
    '\n',
  )
}

/** Formats, in steps of a tenth, the confidence, the share of correct labels, and their number. */
export function describeCalibration(judged: readonly Measured[]): string {
  const rows = ['sure  mean   right  of']
  for (let tenth = 2; tenth < 10; tenth += 1) {
    const some = judged.filter(
      ({ confidence }) => Math.min(9, Math.floor(confidence * 10)) === tenth,
    )
    if (some.length === 0) continue
    const mean = share(
      some.reduce((sum, { confidence }) => sum + confidence, 0),
      some.length,
    )
    const right = share(
      some.filter(({ label, comment }) => label === comment.label).length,
      some.length,
    )
    rows.push(`${tenth / 10}+  ${mean.toFixed(2)}   ${right.toFixed(2)}   ${some.length}`)
  }
  return rows.join('\n')
}
