import type { ReactNode } from 'react'
import { useSession } from '#web/core/session.ts'

/** Shows its children to the signed-in only. */
export function SignedIn({ children }: { readonly children: ReactNode }) {
  return useSession() === null ? null : children
}
