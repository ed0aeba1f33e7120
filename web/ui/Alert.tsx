import { type ReactNode, useEffect, useRef } from 'react'
import { Icon } from '#web/ui/Icon.tsx'
import styles from '#web/ui/styles/Alert.module.css'

interface AlertProps {
  readonly heading: string
  readonly children: ReactNode
  /**
   * Takes the focus when it appears: a form was refused, and its person is far below. `free`: unless something has it,
   * since it came with the page, in which somebody may be typing before it lives.
   */
  readonly focus?: boolean | 'free' | undefined
}

/** What went wrong, above what it went wrong with. */
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
