import { lazy, Suspense, useEffect, useState } from 'react'
import { onFirstToast } from '#web/core/toast.ts'

const Host = lazy(() =>
  import('#web/layout/said/ToastHost.tsx').then(({ ToastHost }) => ({ default: ToastHost })),
)

/** Nothing until the first line is to be shown. */
export function Toasts() {
  const [wanted, setWanted] = useState(false)
  useEffect(() => onFirstToast(() => setWanted(true)), [])
  if (!wanted) return null
  return (
    <Suspense>
      <Host />
    </Suspense>
  )
}
