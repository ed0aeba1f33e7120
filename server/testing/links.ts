/** Mailed links as their readers have them. */
import { createLinkSecrets, type LinkKind } from '#server/accounts/mails/links.ts'
import { TEST_SECRET, type Person, type TestApp } from '#server/testing/app.ts'

const secretOf = createLinkSecrets(TEST_SECRET)

/** The secret of a person's newest link of a kind, whether it still works or not. */
export async function newestLink({ app }: TestApp, of: Person, kind: LinkKind): Promise<string> {
  const { id } = await app.database.db
    .selectFrom('account_tokens')
    .select('id')
    .where('user_id', '=', of.session._id)
    .where('kind', '=', kind)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return secretOf(id)
}

/** What was put into the outbox for a person, oldest first: where it goes, and the key of its subject. */
export async function mailsTo({ app }: TestApp, of: Person) {
  const mails = await app.database.db
    .selectFrom('mails')
    .select(['address', 'subject', 'locale'])
    .where('user_id', '=', of.session._id)
    .orderBy('id')
    .execute()
  return mails.map(({ subject, ...mail }) => ({ ...mail, subject: subject.split('?')[0] }))
}
