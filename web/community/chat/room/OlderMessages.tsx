import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import type { Room } from '#web/community/chat/conversation/room.ts'
import { useText } from '#web/core/i18n.tsx'
import { RowSkeleton } from '#web/ui/Skeleton.tsx'
import { Button } from '#web/ui/Button.tsx'
import styles from '#web/community/chat/Chat.module.css'
import blockedLineStyles from '#web/items/flags/BlockedLine.module.css'

interface OlderMessagesProps {
  readonly room: Room
  /** The scroll container. */
  readonly box: RefObject<HTMLElement | null>
}

/** Loads older messages when scrolled near. Give it a new key for each page. */
export function OlderMessages({ room, box }: OlderMessagesProps) {
  const { t } = useText()
  const [failed, setFailed] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const load = useCallback(() => {
    setFailed(false)
    room.loadOlder().catch(() => setFailed(true))
  }, [room])
  useEffect(() => {
    const target = place.current
    if (target === null) return undefined
    const watch = new IntersectionObserver(
      (entries) => {
        // On a busy page the observer may report several changes at once.
        if (!entries.some((entry) => entry.isIntersecting)) return
        watch.disconnect()
        load()
      },
      { root: box.current, rootMargin: '600px 0px 0px' },
    )
    watch.observe(target)
    return () => watch.disconnect()
  }, [box, load])
  return (
    <div className={styles.older} ref={place}>
      {failed ? (
        <p className={blockedLineStyles.blockedLine}>
          {t('olderMessagesFailed')} <Button onClick={load}>{t('tryAgain')}</Button>
        </p>
      ) : (
        <RowSkeleton label={t('loadingMessages')} count={2} />
      )}
    </div>
  )
}
