import { useEffect, useState } from 'react'
import { useText } from '#web/core/i18n.tsx'
import { setFocusMode, useFocusMode } from '#web/lessons/focus/focus-mode.ts'
import { Button } from '#web/ui/Button.tsx'
import styles from '#web/ui/styles/Item.module.css'

/** Shows the lesson without what stands round it; Escape brings that back. */
export function FocusSwitch() {
  const { t } = useText()
  const on = useFocusMode()
  const [isLeft, setIsLeft] = useState(false)
  useEffect(() => {
    if (!on) return undefined
    const onKeyDown = (event: KeyboardEvent) => {
      // An open dialog, menu or list of finds is what Escape closes first.
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
