import { type KeyboardEvent, type MouseEvent, useState } from 'react'
import type { CourseChoice } from '#contract/courses.ts'
import { clothIndex } from '#contract/dyes.ts'
import { useText } from '#web/core/i18n.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { useDragOrder } from '#web/items/courses/form/drag-order.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import styles from './CourseForm.module.css'

interface LessonOrderProps {
  readonly lessons: readonly CourseChoice[]
  readonly onMove: (from: number, to: number) => void
  readonly onRemove: (id: number) => void
  /** Ids of the elements that name and describe the list. */
  readonly labelledBy: string
  readonly helpId: string
}

/** The lessons of a course as a stack of books, which can be dragged, or moved by buttons and by keyboard. */
export function LessonOrder({ lessons, onMove, onRemove, labelledBy, helpId }: LessonOrderProps) {
  const { t } = useText()
  const [said, setSaid] = useState('')

  // The button keeps the focus, because the moved row stays the same element.
  const move = (from: number, to: number) => {
    const lesson = lessons[from]
    if (lesson === undefined || to < 0 || to >= lessons.length || to === from) return
    setSaid(t('movedTo', { title: lesson.title, place: to + 1, total: lessons.length }))
    onMove(from, to)
  }
  const { list, begin } = useDragOrder(move)
  const remove = (event: MouseEvent, lesson: CourseChoice) => {
    const row = event.currentTarget.closest('li')
    const next = row?.nextElementSibling ?? row?.previousElementSibling
    const target = next?.querySelector<HTMLElement>('button:last-of-type') ?? list.current
    target?.focus()
    setSaid(t('takenOut', { title: lesson.title }))
    onRemove(lesson.id)
  }
  const turn = (event: KeyboardEvent, from: number) => {
    const last = lessons.length - 1
    const places: Readonly<Record<string, number>> = {
      ArrowUp: from - 1,
      ArrowDown: from + 1,
      Home: 0,
      End: last,
    }
    const to = places[event.key]
    if (to === undefined) return
    event.preventDefault()
    move(from, to)
  }
  return (
    <>
      <ol className={styles.order} ref={list} tabIndex={-1} aria-labelledby={labelledBy}>
        {lessons.map((lesson, place) => (
          <li key={lesson.id} className={`cloth-${clothIndex(lesson.id)}`}>
            <button
              type="button"
              className={styles.handle}
              aria-label={t('moveNamed', { title: lesson.title })}
              aria-describedby={helpId}
              onPointerDown={(event) => begin(event, place)}
              onKeyDown={(event) => turn(event, place)}
            >
              <Icon name="grip" />
              <b lang={textLanguage(lesson.title)} dir="auto">
                {lesson.title}
              </b>
            </button>
            <IconButton
              icon="up"
              label={t('moveUpNamed', { title: lesson.title })}
              aria-disabled={place === 0}
              onClick={() => move(place, place - 1)}
            />
            <IconButton
              icon="down"
              label={t('moveDownNamed', { title: lesson.title })}
              aria-disabled={place === lessons.length - 1}
              onClick={() => move(place, place + 1)}
            />
            <IconButton
              icon="x"
              label={t('removeNamed', { name: lesson.title })}
              onClick={(event) => remove(event, lesson)}
            />
          </li>
        ))}
      </ol>
      <p className="sr" role="status">
        {said}
      </p>
    </>
  )
}
