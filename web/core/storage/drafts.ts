/** What people have typed and not sent, stored in this browser under their id, offered back after a reload. */
import { useCallback, useEffect, useRef } from 'react'
import { currentPerson, useSession } from '#web/core/session.ts'

const DELAY = 400

interface StoredDraft<Values> {
  readonly savedAt: string
  readonly values: Values
}

/** `kb:{person}:draft:{form}`: cleared at logout with everything else of that person. */
const keyOf = (person: string, form: string) => `kb:${person}:draft:${form}`

export interface Draft<Values> {
  /** The stored values and when they were stored, or null. Reads storage: call it in an effect or a handler. */
  readonly read: () => StoredDraft<Values> | null
  /** Stores the values a moment later, at the latest when the form or the page goes. Files can't be stored here: leave them out. */
  readonly save: (values: Values) => void
  /** After the values were sent, or when the person wants none of it. */
  readonly drop: () => void
}

/** The draft of one form, such as `lesson` or `lesson:7`, of the signed-in person. */
export function useDraft<Values>(form: string): Draft<Values> {
  const person = useSession()?._id ?? 'guest'
  const key = keyOf(person, form)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const pending = useRef<(() => void) | null>(null)
  /** What was typed in the last moment is not lost with the page, nor with a form that gives way to an error. */
  const flush = useCallback(() => {
    clearTimeout(timer.current)
    pending.current?.()
    pending.current = null
  }, [])
  useEffect(() => {
    window.addEventListener('pagehide', flush)
    return () => {
      window.removeEventListener('pagehide', flush)
      flush()
    }
  }, [flush])
  return {
    read: useCallback(() => {
      try {
        // Only `save` writes here.
        return JSON.parse(localStorage.getItem(key) ?? 'null') as StoredDraft<Values> | null
      } catch {
        return null
      }
    }, [key]),
    save: useCallback(
      (values) => {
        pending.current = () => {
          // Signed out meanwhile: nothing is stored under a name that has gone.
          if ((currentPerson()?._id ?? 'guest') !== person) return
          try {
            localStorage.setItem(key, JSON.stringify({ savedAt: new Date().toISOString(), values }))
          } catch {
            // Full or forbidden storage: the form works without drafts.
          }
        }
        clearTimeout(timer.current)
        timer.current = setTimeout(flush, DELAY)
      },
      [key, person, flush],
    ),
    drop: useCallback(() => {
      clearTimeout(timer.current)
      pending.current = null
      try {
        localStorage.removeItem(key)
      } catch {
        // Where storage is forbidden nothing was stored.
      }
    }, [key]),
  }
}

/** Whether the person has something unsent, messages included: asked before logging out. */
export function hasDrafts(person: string): boolean {
  const starts = [keyOf(person, ''), `kb:${person}:chat:`]
  return Object.keys(localStorage).some((key) => starts.some((start) => key.startsWith(start)))
}
