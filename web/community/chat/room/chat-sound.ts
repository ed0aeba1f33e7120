import { useCallback, useEffect, useRef } from 'react'
import { playArrival } from '#web/community/chat/room/sound.ts'
import { useStored } from '#web/core/storage/stored.ts'

const isSwitch = (stored: unknown): stored is boolean => typeof stored === 'boolean'

export interface ChatSound {
  readonly isOn: boolean
  readonly toggle: () => void
  /** Plays for a new message if the sound is on. A stable function. */
  readonly play: (messageId: number) => void
}

/** Stored for each person in this browser. The default is on. */
export function useChatSound(): ChatSound {
  const { value, change } = useStored('chat-sound', isSwitch, true)
  const isOn = useRef(value)
  useEffect(() => {
    isOn.current = value
  })
  return {
    isOn: value,
    toggle: () => change((old) => !old),
    play: useCallback((messageId) => {
      if (isOn.current) void playArrival(messageId)
    }, []),
  }
}
