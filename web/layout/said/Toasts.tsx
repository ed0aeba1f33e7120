import { lazy, Suspense, useEffect, useState } from 'react'
import { onFirstToast } from '#web/core/toast.ts'

const Host = lazy(() =>
  import('#web/layout/said/ToastHost.tsx').then(({ ToastHost }) => ({ default: ToastHost })),
)

/** Renders nothing until the first toast. */
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
