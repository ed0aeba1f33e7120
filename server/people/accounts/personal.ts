/** The person's own row is exported by operate/exports/archive.ts; this declares their sign-ins. */
import { sql } from 'kysely'
import { forgetSignIns } from '#server/people/accounts/erasure.ts'
import { forgetInvitations } from '#server/people/accounts/door/store.ts'
import { WHY, type PersonalData } from '#server/platform/core/personal.ts'

export const personal: PersonalData = {
  exported: {
    invitations: (of, after) => sql`
      select i.id, i.uses, i.used, i.created_at as date, i.expires_at as expires,
        i.withdrawn_at as "closedAt" from invitations i
      where i.inviter_id = ${of} and i.id > ${after}`,
    accessTokens: (of, after) => sql`
      select t.id, t.name, t.scopes, t.created_at as date, t.expires_at as expires, t.last_used_at as "lastUsed"
      from access_tokens t where t.user_id = ${of} and t.id > ${after}`,
    passkeys: (of, after) => sql`
      select id, name, synced, created_at as date, used_at as "usedAt" from passkeys
      where user_id = ${of} and id > ${after}`,
    identities: (of, after) => sql`
      select id, issuer, subject, label, created_at as date, used_at as "usedAt" from identities
      where user_id = ${of} and id > ${after}`,
  },
  labels: {
    invitations: 'exportInvitations',
    accessTokens: 'exportAccessTokens',
    passkeys: 'exportPasskeys',
    identities: 'exportIdentities',
  },
  erase: async ({ db }, userId) => {
    await forgetSignIns(db, userId)
    await forgetInvitations(db, userId)
  },
  stays: { 'login_failures.subject': WHY.shortLived },
  notExported: {
    'invited_people.user_id': 'who invited them concerns the inviter too; administrators see it',
    'inviters.user_id': 'who invited them concerns the inviter too; administrators see it',
    'inviters.inviter_id': 'whom they invited concerns those people too; administrators see it',
    'account_tokens.email': 'of a link that was mailed to that address',
    'account_tokens.email_folded': WHY.folded,
    'account_tokens.user_id': 'of a link that was mailed to them, and goes when it no longer works',
    'oidc_flows.email': WHY.shortLived,
    'oidc_flows.session_id': WHY.shortLived,
    'oidc_flows.subject': WHY.shortLived,
    'oidc_flows.user_id': WHY.shortLived,
    'passkey_challenges.user_id': WHY.shortLived,
    'recovery_codes.user_id': 'hashes of codes that stand on their own paper',
    'totp_secrets.user_id':
      'a secret that their own app holds; since when it is asked for, the export says',
    'former_usernames.username_skeleton': WHY.folded,
    'login_failures.subject': WHY.shortLived,
    'users.email_folded': WHY.folded,
    'users.previous_email_folded': WHY.folded,
    'users.username_folded': WHY.folded,
    'users.username_skeleton': WHY.folded,
  },
}
