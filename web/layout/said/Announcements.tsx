import { useEffect, useState } from 'react'
import { hostAnnouncements } from '#web/core/moments/announce.ts'

/** Where `announce` puts its words: empty until then, and never seen. */
export function Announcements() {
  const [words, setWords] = useState('')
  useEffect(() => hostAnnouncements(setWords), [])
  return (
    <p className="sr" role="status">
      {words}
    </p>
  )
}
