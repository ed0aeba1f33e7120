import { createLinkSecrets, type LinkKind } from '#server/people/accounts/mails/links.ts'
import { TEST_SECRET, type Person, type TestApp } from '#server/testing/app.ts'

const secretOf = createLinkSecrets(TEST_SECRET)

/** Returns the secret of a person's newest link of a kind, even if it has expired. */
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

/** Returns the person's mails in the outbox, oldest first, with recipient and subject key. */
export async function mailsTo({ app }: TestApp, of: Person) {
  const mails = await app.database.db
    .selectFrom('mails')
    .select(['address', 'subject', 'locale'])
    .where('user_id', '=', of.session._id)
    .orderBy('id')
    .execute()
  return mails.map(({ subject, ...mail }) => ({ ...mail, subject: subject.split('?')[0] }))
}
