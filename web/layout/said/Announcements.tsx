import { useEffect, useState } from 'react'
import { hostAnnouncements } from '#web/core/moments/announce.ts'

/** The visually hidden live region of `announce`. */
export function Announcements() {
  const [words, setWords] = useState('')
  useEffect(() => hostAnnouncements(setWords), [])
  return (
    <p className="sr" role="status">
      {words}
    </p>
  )
}
