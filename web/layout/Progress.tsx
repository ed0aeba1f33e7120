import { useEffect, useState } from 'react'
import { useNavigation } from 'react-router'
import { useText } from '#web/core/i18n.tsx'
import styles from './Layout.module.css'

/** Below this a bar would only flicker. Milliseconds. */
const PATIENCE = 300

/** A thin line while the next page is slow to come. */
export function Progress() {
  const { t } = useText()
  const { state } = useNavigation()
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setSlow(true), PATIENCE)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [state])
  return (
    <div className={slow ? styles.going : undefined} role="status">
      {slow && <span className="sr">{t('navLoading')}</span>}
    </div>
  )
}
