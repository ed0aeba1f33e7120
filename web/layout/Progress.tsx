import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { useNavigation } from 'react-router'
import { useText } from '#web/core/i18n.tsx'
import styles from './Layout.module.css'

/** Delay in ms, because a shorter wait would only flicker. */
const DELAY_MS = 250

export function Progress() {
  const { state } = useNavigation()
  return <div role="status">{state !== 'idle' && <ProgressLine />}</div>
}

function ProgressLine() {
  const { t } = useText()
  const [isSlow, setIsSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    isSlow && (
      <div className={styles.going}>
        <span className="sr">{t('navLoading')}</span>
      </div>
    )
  )
}

/** Shows the same line while `React.lazy` loads a component. */
export function Opening({ children }: { readonly children: ReactNode }) {
  return <Suspense fallback={<ProgressLine />}>{children}</Suspense>
}
