import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import type { CourseChoice } from '#contract/courses.ts'
import { clothIndex } from '#contract/dyes.ts'
import { useText } from '#web/core/i18n.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { useDragOrder } from '#web/courses/drag-order.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'

interface LessonOrderProps {
  /** In order. */
  readonly lessons: readonly CourseChoice[]
  readonly onMove: (from: number, to: number) => void
  readonly onRemove: (id: number) => void
  /** Ids of the elements that name and explain the list. */
  readonly labelledBy: string
  readonly helpId: string
}

/** The part of a row that has the focus, and keeps it when the row moves. */
type Part = 'take' | 'up' | 'down' | 'remove'

/** The lessons of a course as a pile of lying books: dragged, moved by arrows, or by the keyboard. */
export function LessonOrder({ lessons, onMove, onRemove, labelledBy, helpId }: LessonOrderProps) {
  const { t } = useText()
  const [said, setSaid] = useState('')
  const focus = useRef<{ readonly id: number; readonly part: Part } | null>(null)

  const move = (from: number, to: number, part: Part) => {
    const lesson = lessons[from]
    if (lesson === undefined || to < 0 || to >= lessons.length || to === from) return
    focus.current = { id: lesson.id, part }
    setSaid(t('movedTo', { title: lesson.title, place: to + 1, total: lessons.length }))
    onMove(from, to)
  }
  const remove = (place: number) => {
    const lesson = lessons[place]
    if (lesson === undefined) return
    const next = lessons[place + 1] ?? lessons[place - 1]
    focus.current = next === undefined ? null : { id: next.id, part: 'remove' }
    setSaid(t('takenOut', { title: lesson.title }))
    onRemove(lesson.id)
  }
  const { list, begin } = useDragOrder((from, to) => move(from, to, 'take'))
  useLayoutEffect(() => {
    const wanted = focus.current
    if (wanted === null) return
    focus.current = null
    list.current
      ?.querySelector<HTMLElement>(`[data-id="${wanted.id}"] [data-part=${wanted.part}]`)
      ?.focus()
  }, [lessons, list])

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
    move(from, to, 'take')
  }
  return (
    <>
      <ol className="order" ref={list} aria-labelledby={labelledBy}>
        {lessons.map((lesson, place) => (
          <li key={lesson.id} data-id={lesson.id} className={`cloth-${clothIndex(lesson.id)}`}>
            <button
              type="button"
              className="take"
              data-part="take"
              aria-label={t('moveNamed', { title: lesson.title })}
              aria-describedby={helpId}
              onPointerDown={(event) => begin(event, place)}
              onKeyDown={(event) => turn(event, place)}
            >
              <Icon name="grip" />
              <b lang={textLanguage(lesson.title)}>{lesson.title}</b>
            </button>
            <IconButton
              icon="up"
              data-part="up"
              label={t('moveUpNamed', { title: lesson.title })}
              aria-disabled={place === 0}
              onClick={() => move(place, place - 1, 'up')}
            />
            <IconButton
              icon="down"
              data-part="down"
              label={t('moveDownNamed', { title: lesson.title })}
              aria-disabled={place === lessons.length - 1}
              onClick={() => move(place, place + 1, 'down')}
            />
            <IconButton
              icon="x"
              data-part="remove"
              label={t('removeNamed', { name: lesson.title })}
              onClick={() => remove(place)}
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
