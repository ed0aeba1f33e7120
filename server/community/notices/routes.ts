import { mail } from '#contract/mail.ts'
import { notices } from '#contract/notices.ts'
import { createUnsubscribeTokens } from '#server/people/accounts/mails/unsubscribe.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'
import { invalidField } from '#server/kernel/errors.ts'
import { readSettings, writeChoices } from '#server/community/notices/choices.ts'
import { unchooseZone, writeZone } from '#server/community/notices/digest-store.ts'
import { isZone } from '#server/community/notices/digest-times.ts'
import { countUnread, listNotices, markRead } from '#server/community/notices/store.ts'
import { endNotices } from '#server/community/notices/unsubscribe.ts'

export function routes({ db, clock, events, secrets }: Core): Route[] {
  const unsubscribeTokens = createUnsubscribeTokens(secrets)
  return [
    route(notices.all, async ({ viewer }, { page = 1 }) => {
      const asOf = clock.now().toISOString()
      return { ...(await listNotices(db, viewer.id, page)), asOf }
    }),
    route(notices.count, async ({ viewer }) => ({ unread: await countUnread(db, viewer.id) })),
    route(notices.read, async ({ viewer }, { ids, upTo }) => {
      const now = clock.now()
      const until = upTo === undefined ? now : new Date(upTo)
      // All open pages of the person show the number.
      if (await markRead(db, viewer.id, { ids, upTo: until }, now))
        events.publish({ type: 'notices.changed', userIds: [viewer.id] })
      return { unread: await countUnread(db, viewer.id) }
    }),
    route(mail.unsubscribe, async (_, { token }) => {
      if (!(await endNotices(db, unsubscribeTokens, token)))
        throw invalidField('token', 'unsubscribeInvalid')
      return null
    }),
    route(notices.settings, ({ viewer }) => readSettings(db, viewer.id)),
    route(notices.choose, async ({ viewer }, { choices = [], zone, browserZone }) => {
      if (typeof zone === 'string' && !isZone(zone)) throw invalidField('zone', 'zoneUnknown')
      if (browserZone !== undefined && !isZone(browserZone))
        throw invalidField('browserZone', 'zoneUnknown')
      await db.transaction().execute(async (tx) => {
        await writeChoices(tx, viewer.id, choices)
        const now = clock.now()
        if (zone === null) await unchooseZone(tx, viewer.id)
        if (browserZone !== undefined)
          await writeZone(tx, viewer.id, { zone: browserZone, isChosen: false }, now)
        if (typeof zone === 'string') await writeZone(tx, viewer.id, { zone, isChosen: true }, now)
      })
      return null
    }),
  ]
}
