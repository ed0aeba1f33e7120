import type { ReactNode } from 'react'
import { useSession } from '#web/core/session.ts'

export function SignedIn({ children }: { readonly children: ReactNode }) {
  return useSession() === null ? null : children
}
