import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { useNavigation } from 'react-router'
import { useText } from '#web/core/i18n.tsx'
import styles from './Layout.module.css'

/** Below this a line would only flicker. Milliseconds. */
const PATIENCE = 250

/** A thin line while the next page is slow to come. */
export function Progress() {
  const { state } = useNavigation()
  return <div role="status">{state !== 'idle' && <ProgressLine />}</div>
}

function ProgressLine() {
  const { t } = useText()
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), PATIENCE)
    return () => clearTimeout(timer)
  }, [])
  return (
    slow && (
      <div className={styles.going}>
        <span className="sr">{t('navLoading')}</span>
      </div>
    )
  )
}

/** What a press opens and `React.lazy` fetches: the same line until it is there. */
export function Opening({ children }: { readonly children: ReactNode }) {
  return <Suspense fallback={<ProgressLine />}>{children}</Suspense>
}
