import { useEffect, useState } from 'react'
import { useText } from '#web/core/i18n.tsx'
import { setFocusMode, useFocusMode } from '#web/items/lessons/focus/focus-mode.ts'
import { Button } from '#web/ui/Button.tsx'
import styles from '#web/ui/styles/Item.module.css'

/** Hides everything around the lesson; Escape brings it back. */
export function FocusSwitch() {
  const { t } = useText()
  const on = useFocusMode()
  const [isLeft, setIsLeft] = useState(false)
  useEffect(() => {
    if (!on) return undefined
    const onKeyDown = (event: KeyboardEvent) => {
      // Escape closes an open dialog, menu or list of suggestions first.
      const isTaken = document.querySelector(':modal, :popover-open') !== null
      if (event.key !== 'Escape' || event.defaultPrevented || isTaken) return
      setFocusMode(false)
      setIsLeft(true)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [on])
  return (
    <>
      <Button
        className={styles.readingSwitch}
        kind="bare"
        icon="book"
        aria-pressed={on}
        title={t(on ? 'focusModeLeave' : 'focusMode')}
        onClick={() => {
          setIsLeft(false)
          setFocusMode(!on)
        }}
      >
        {t('focusMode')}
      </Button>
      <span className="sr" role="status">
        {isLeft && t('focusModeLeft')}
      </span>
    </>
  )
}
