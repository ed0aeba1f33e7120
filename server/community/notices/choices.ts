/** How notices reach a person: the defaults, and the person's own choices. */
import { sql } from 'kysely'
import { IN_DIGEST, NOTICE_KINDS, type NoticeKind, type NoticeChoice } from '#contract/notices.ts'
import type { Db, DbOrTx, Tx } from '#server/platform/db/connect.ts'

/** Applies until the person chooses something else. */
const usual = (kind: NoticeKind): NoticeChoice => ({
  kind,
  shown: true,
  mail: IN_DIGEST.includes(kind) ? 'digest' : 'none',
})

export interface NoticeSettings {
  readonly choices: NoticeChoice[]
  readonly zone: string
  readonly zoneChosen: boolean
  readonly confirmed: boolean
  readonly mails: boolean
}

export async function readSettings(db: Db, userId: string): Promise<NoticeSettings> {
  type Row = Omit<NoticeSettings, 'choices'> & { kind: string | null } & Omit<NoticeChoice, 'kind'>
  const { rows } = await sql<Row>`
    select coalesce(d.zone, 'UTC') as zone, coalesce(d.zone_chosen, false) as "zoneChosen", u.email_confirmed_at is not null as confirmed, u.notices as mails,
      c.kind, c.shown, c.mail
    from users u left join notice_digests d on d.user_id = u.id left join notice_choices c on c.user_id = u.id
    where u.id = ${userId}`.execute(db)
  const { zone = 'UTC', zoneChosen = false, confirmed = false, mails = false } = rows[0] ?? {}
  const choices = NOTICE_KINDS.map((kind) => {
    const chosen = rows.find((row) => row.kind === kind)
    return chosen === undefined ? usual(kind) : { kind, shown: chosen.shown, mail: chosen.mail }
  })
  return { choices, zone, zoneChosen, confirmed, mails }
}

/** Stores no row for a default, so that it follows later changes of the default. */
export async function writeChoices(
  tx: Tx,
  userId: string,
  choices: readonly NoticeChoice[],
): Promise<void> {
  for (const { kind, shown, mail } of choices) {
    const { shown: usuallyShown, mail: usualMail } = usual(kind)
    if (shown === usuallyShown && mail === usualMail)
      await sql`delete from notice_choices where user_id = ${userId} and kind = ${kind}`.execute(tx)
    else
      await sql`
        insert into notice_choices (user_id, kind, shown, mail) values (${userId}, ${kind}, ${shown}, ${mail})
        on conflict (user_id, kind) do update set shown = excluded.shown, mail = excluded.mail`.execute(
        tx,
      )
  }
}

/** Ends mails of a kind. Notices of the kind still appear in the product. */
export async function endMailsOf(db: DbOrTx, userId: string, kind: NoticeKind): Promise<void> {
  await sql`
    insert into notice_choices (user_id, kind, shown, mail)
    select id, ${kind}, true, 'none' from users where id = ${userId} and erased_at is null
    on conflict (user_id, kind) do update set mail = 'none'`.execute(db)
}

/** For an erased account. */
export async function forgetChoices(db: DbOrTx, userId: string): Promise<void> {
  await sql`delete from notice_choices where user_id = ${userId}`.execute(db)
}
