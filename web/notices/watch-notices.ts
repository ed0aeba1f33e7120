/**
 * The number of the bell in every tab of this browser: told by the hub when it is another one, asked for at the start and
 * after each connect, and once a minute while there is no connection. For pages only; nothing happens at import.
 */
import * as z from 'zod/mini'
import { notices } from '#contract/notices.ts'
import { api } from '#web/core/api.ts'
import { setNoticeCount } from '#web/core/notice-count.ts'
import { currentPerson, subscribe } from '#web/core/session.ts'
import { changeStored, readStored } from '#web/core/storage/stored.ts'

/** What is needed of the browser's link to the hub, and of its tabs. */
export interface NoticeLink {
  readonly isConnected: () => boolean
  /** This tab asks for all of them. */
  readonly isLeader: () => boolean
  readonly onNoticed: (listener: (unread: number | null) => void) => () => void
  readonly onGap: (listener: () => void) => () => void
  /** To the other tabs of the person. */
  readonly openChannel: (name: string) => {
    readonly post: (message: unknown) => void
    readonly listen: (listener: (message: unknown) => void) => void
    readonly close: () => void
  }
}

/** Once for all that happens until then, and not all browsers at once. */
const SOON_MS = 150
const SPREAD_MS = 350
/** Without a connection; as soon as a page is looked at again it asks besides. */
const POLL_MS = 60_000

const TabMessage = z.object({ unread: z.number() })

let isWatching = false

/** Once for a page; does nothing when it has been called. */
export function watchNotices(link: NoticeLink): void {
  if (isWatching) return
  isWatching = true
  let person: string | undefined
  let channel: ReturnType<NoticeLink['openChannel']> | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  async function ask(): Promise<void> {
    const own = person
    timer = undefined
    if (own === undefined) return
    // Asked again by the next event, or in a minute.
    const found = await api(notices.count, {}).catch(() => null)
    if (found === null || own !== person) return
    setNoticeCount(found.unread)
    channel?.post({ unread: found.unread })
  }
  function expect(): void {
    // One answer is enough for all tabs, but a tab that nobody looks at may sleep over the question.
    if (link.isLeader() || isSeen())
      timer ??= setTimeout(() => void ask(), SOON_MS + Math.random() * SPREAD_MS)
  }
  function follow(): void {
    const now = currentPerson()?._id
    if (now === person) return
    person = now
    channel?.close()
    channel = null
    setNoticeCount(0)
    if (now === undefined) return
    channel = link.openChannel(`kb:${now}:notices`)
    channel.listen((given) => {
      const { data } = TabMessage.safeParse(given)
      if (data !== undefined) setNoticeCount(data.unread)
    })
    void ask()
    void tellZone(now)
  }

  follow()
  subscribe(follow)
  link.onNoticed((unread) => {
    if (unread === null) expect()
    else setNoticeCount(unread)
  })
  link.onGap(expect)
  document.addEventListener('visibilitychange', () => isSeen() && expect())
  setInterval(() => {
    if (!link.isConnected() && isSeen()) expect()
  }, POLL_MS)
}

const isSeen = () => document.visibilityState === 'visible'
const isText = (value: unknown): value is string => typeof value === 'string'

/** The mail of the day comes in the morning of where the person is: told when it is another zone than the last time. */
async function tellZone(person: string): Promise<void> {
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions()
  const key = `kb:${person}:zone`
  if (zone === undefined || readStored(key, isText) === zone) return
  // A suspended person may not, and is asked nothing.
  const told = await api(notices.choose, { browserZone: zone }).then(
    () => true,
    () => false,
  )
  if (told) changeStored(key, isText, '', () => zone)
}
