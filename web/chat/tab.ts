/**
 * The chat of this tab: one link to the hub for all that is open in it, and the unread number of the menu. For pages
 * only (it listens to window and document); nothing happens at import.
 */
import type { ChatLink } from '#web/chat/chat-link.ts'
import type { UnsentStore } from '#web/chat/sending.ts'
import type { Unread } from '#web/chat/unread.ts'

export interface ChatTab {
  readonly link: ChatLink
  readonly unread: Unread
}

/** `openTab(): ChatTab` makes it at the first call; the link starts and stops with the session. */
export type OpenTab = () => ChatTab

/** `keptUnsent(personId, otherId): UnsentStore`, in localStorage under `kb:{person}:chat:{other}`. */
export type KeptUnsent = (personId: string, otherId: string) => UnsentStore
