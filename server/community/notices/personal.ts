/** Personal data of notices: those of the last 90 days, and the person's settings. */
import { sql } from 'kysely'
import type { PersonalData } from '#server/platform/core/personal.ts'
import { forgetEvents } from '#server/platform/events/outbox.ts'
import { forgetChoices } from '#server/community/notices/choices.ts'
import { forgetDigests } from '#server/community/notices/digest-store.ts'
import { forgetNotices } from '#server/community/notices/store.ts'

export const personal: PersonalData = {
  exported: {
    noticesReceived: (of, after) => sql`
      select n.id, n.kind, n.item_kind as "itemKind", n.item_id as item, n.item_title as title, n.detail, n.act_id as act, n.note, n.count,
        n.amount, n.happened_at as date, n.read_at as read, n.shown, case when a.erased_at is null then a.username end as person
      from notices n left join users a on a.id = n.actor_id where n.user_id = ${of} and n.id > ${after}`,
    noticeChoices: (of, after) => sql`
      select chosen.* from (
        select row_number() over (order by c.kind) as id, c.kind, c.shown, c.mail
        from notice_choices c where c.user_id = ${of}
      ) chosen where chosen.id > ${after}`,
    noticeMails: (of, after) => sql`
      select mailed.* from (
        select 1 as id, d.zone, d.zone_chosen as "zoneChosen", d.next_at as next, d.last_at as last from notice_digests d where d.user_id = ${of}
      ) mailed where mailed.id > ${after}`,
  },
  labels: {
    noticesReceived: 'noticesTitle',
    noticeChoices: 'exportNoticeChoices',
    noticeMails: 'exportNoticeMails',
  },
  erase: async ({ db }, userId) => {
    await forgetEvents(db, userId)
    await forgetNotices(db, userId)
    await forgetChoices(db, userId)
    await forgetDigests(db, userId)
  },
}
