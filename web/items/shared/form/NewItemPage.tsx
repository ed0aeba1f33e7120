import { type ComponentType, useCallback, useState } from 'react'
import { useHydrated } from '#web/core/hydrated.ts'
import { useSession } from '#web/core/session.ts'
import { SuspendedHere } from '#web/layout/SuspendedHere.tsx'

export interface NewItemFormProps {
  /** False until the browser's storage can be read. */
  readonly readsDraft: boolean
  /** Shows the form again, empty. */
  readonly onStartOver: () => void
}

interface NewItemPageProps {
  readonly title: string
  readonly form: ComponentType<NewItemFormProps>
}

/** Suspended people see a notice instead of a form that the server would refuse. */
export function NewItemPage({ title, form: Form }: NewItemPageProps) {
  const hydrated = useHydrated()
  const [run, setRun] = useState(0)
  const startOver = useCallback(() => setRun((old) => old + 1), [])
  const person = useSession()
  if (person?.suspended === true) return <SuspendedHere title={title} />
  // The stored draft can be read only after hydration, so the form then restarts with it. It also restarts for another
  // person who signs in in another tab.
  return (
    <Form key={`${person?._id} ${hydrated} ${run}`} readsDraft={hydrated} onStartOver={startOver} />
  )
}
