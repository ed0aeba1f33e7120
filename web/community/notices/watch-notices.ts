/** Keeps the bell's count right in every tab: from the hub, or by a request each minute without a connection. */
import * as z from 'zod/mini'
import { notices } from '#contract/notices.ts'
import { api } from '#web/core/api.ts'
import { setNoticeCount } from '#web/core/notice-count.ts'
import { currentPerson, subscribe } from '#web/core/session.ts'
import { changeStored, readStored } from '#web/core/storage/stored.ts'

/** The parts of the hub's link and of the tabs that are needed here. */
export interface NoticeLink {
  readonly isConnected: () => boolean
  /** No connection is open or will be. */
  readonly isOff: () => boolean
  /** This tab sends the requests for all tabs. */
  readonly isLeader: () => boolean
  readonly onNoticed: (listener: (unread: number | null) => void) => () => void
  /** The count must be fetched: a connection has opened or failed, or may have missed something. */
  readonly onGap: (listener: () => void) => void
  /** A channel to the user's other tabs. */
  readonly openChannel: (name: string) => {
    readonly post: (message: unknown) => void
    readonly listen: (listener: (message: unknown) => void) => void
    readonly close: () => void
  }
}

/** One request covers all events until then. The random part spreads the load of many browsers. */
const SOON_MS = 150
const SPREAD_MS = 350
/** Interval without a connection. A page that becomes visible asks at once. */
const POLL_MS = 60_000

const TabMessage = z.object({ unread: z.number() })

let isWatching = false

/** Does nothing after the first call. */
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
    // After a failure, the next event or the timer asks again.
    const found = await api(notices.count, {}).catch(() => null)
    if (found === null || own !== person) return
    setNoticeCount(found.unread)
    channel?.post({ unread: found.unread })
  }
  function expect(): void {
    // One request is enough for all tabs, but the browser may suspend a hidden one, so visible tabs ask too.
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
    if (link.isOff()) void ask()
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

/** Reports the browser's time zone when it changes, because the daily mail is sent in the morning. */
async function tellZone(person: string): Promise<void> {
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions()
  const key = `kb:${person}:zone`
  if (zone === undefined || readStored(key, isText) === zone) return
  // A suspended person may not change this, and the failure is ignored.
  const isStored = await api(notices.choose, { browserZone: zone }).then(
    () => true,
    () => false,
  )
  if (isStored) changeStored(key, isText, '', () => zone)
}
