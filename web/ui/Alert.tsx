import { type ReactNode, useEffect, useRef } from 'react'
import { Icon } from '#web/ui/Icon.tsx'
import styles from '#web/ui/styles/Alert.module.css'

interface AlertProps {
  readonly heading: string
  readonly children: ReactNode
  /**
   * Takes the focus when it appears. `free` does so only if no other element has it, for an alert in the page's HTML.
   */
  readonly focus?: boolean | 'free' | undefined
}

export function Alert({ heading, children, focus }: AlertProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const isTaken = focus === 'free' && document.activeElement !== document.body
    if (focus && !isTaken) box.current?.focus()
  }, [focus])
  return (
    <div className={styles.alert} role="alert" tabIndex={-1} ref={box}>
      <Icon name="warn" />
      <strong>{heading}</strong> <span>{children}</span>
    </div>
  )
}
