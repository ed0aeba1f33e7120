import type { FormEvent } from 'react'
import { useNavigate } from 'react-router'
import { to } from '#web/core/paths.ts'

/** Goes to the list with what was typed; with nothing typed no query is added. */
export function useSearchSubmit(): (event: FormEvent<HTMLFormElement>) => void {
  const navigate = useNavigate()
  return (event) => {
    event.preventDefault()
    const typed = new FormData(event.currentTarget).get('search')
    void navigate(to.lessons({ search: typeof typed === 'string' ? typed.trim() : '' }))
  }
}
