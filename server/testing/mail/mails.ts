import type { Selectable } from 'kysely'
import type { DB } from '#server/platform/db/types.gen.ts'
import { addMailLater, type WrittenMail } from '#server/platform/mail/outbox.ts'
import type { TestApp } from '#server/testing/app.ts'

export const LETTER: WrittenMail = {
  kind: 'letter',
  subject: 'About knots',
  text: 'A question about the third knot',
  replyTo: 'bob@mail.test',
  held: false,
}

interface Change extends Partial<WrittenMail> {
  readonly userId?: string
  readonly address?: string
  readonly now?: Date
}

/** Writes a letter to Ann and returns its id. */
export function writeLetter({ app, clock }: TestApp, change: Change = {}): Promise<number> {
  const { userId = null, address = 'ann@mail.test', now = clock.now(), ...letter } = change
  const to = { userId, address, locale: 'en' } as const
  return addMailLater(app.database.db, to, { ...LETTER, ...letter }, now)
}

/** @throws Error when the mail doesn't exist */
export async function readMailRow({ app }: TestApp, id: number): Promise<Selectable<DB['mails']>> {
  const mails = app.database.db.selectFrom('mails').selectAll()
  return mails.where('id', '=', id).executeTakeFirstOrThrow()
}
