import { type RefObject, useRef, useState } from 'react'
import type { Question } from '#contract/questions.ts'
import { inserted, isBegun, moved, newQuestion, without } from '#web/items/checks/form/editing.ts'
import { useText } from '#web/core/i18n.tsx'
import { newDraftId } from '#web/core/storage/draft-id.ts'
import styles from './Questions.module.css'

interface Order {
  readonly box: RefObject<HTMLDivElement | null>
  /** A stable React key for each question, so that moving one keeps its element and the focus in it. */
  readonly names: readonly string[]
  /** Announced by screen readers. */
  readonly announcement: string
  /** The question that was removed last, if it had any text. */
  readonly gone: { readonly question: Question; readonly place: number } | null
  readonly add: () => void
  readonly move: (from: number, to: number) => void
  readonly remove: (place: number) => void
  readonly bringBack: () => void
}

/** `onArranged` is called when questions are added, removed or moved. */
export function useQuestionOrder(
  value: readonly Question[],
  onArranged: (questions: readonly Question[]) => void,
): Order {
  const { t } = useText()
  const box = useRef<HTMLDivElement>(null)
  const [names, setNames] = useState(() => value.map(newDraftId))
  const [announcement, setAnnouncement] = useState('')
  const [gone, setGone] = useState<Order['gone']>(null)

  const arrange = (questions: readonly Question[], named: readonly string[]) => {
    setNames([...named])
    onArranged(questions)
  }
  const focusAt = (place: number) =>
    requestAnimationFrame(() =>
      box.current
        ?.querySelectorAll(`.${styles.question}`)
        [place]?.querySelector('textarea')
        ?.focus(),
    )
  const add = () => {
    setGone(null)
    arrange([...value, newQuestion()], [...names, newDraftId()])
    focusAt(value.length)
  }
  const move = (from: number, to: number) => {
    if (to < 0 || to >= value.length) return
    setAnnouncement(t('checkMovedTo', { place: to + 1, total: value.length }))
    arrange(moved(value, from, to), moved(names, from, to))
  }
  const remove = (place: number) => {
    const question = value[place]
    if (question === undefined) return
    setGone(isBegun(question) ? { question, place } : null)
    setAnnouncement(t('checkRemoved', { place: place + 1 }))
    arrange(without(value, place), without(names, place))
    requestAnimationFrame(() =>
      box.current
        ?.querySelector<HTMLElement>(`.${styles.questionsFoot} button:not([aria-disabled="true"])`)
        ?.focus(),
    )
  }
  const bringBack = () => {
    if (gone === null) return
    const place = Math.min(gone.place, value.length)
    arrange(inserted(value, place, gone.question), inserted(names, place, newDraftId()))
    setGone(null)
    setAnnouncement('')
    focusAt(place)
  }
  return { box, names, announcement, gone, add, move, remove, bringBack }
}
