/**
 * A certificate as an Open Badges 3.0 credential, generated from its row for each request. The same row and key
 * give the same bytes, so that nothing is stored.
 */
import { SignJWT } from 'jose'
import { statusListPath } from '#contract/certificates.ts'
import { isFormerMember } from '#contract/former-member.ts'
import { siteNameIn, type SiteNames } from '#contract/site.ts'
import { didOf } from '#server/items/certificates/credential/did.ts'
import { ALGORITHM, type SigningKey } from '#server/items/certificates/credential/keys.ts'
import type { CertificateRow } from '#server/items/certificates/store.ts'
import { translate } from '#server/kernel/text/messages.ts'

/**
 * Certificates per status list. The specification's minimum, so that a lookup doesn't reveal a single certificate.
 */
export const LISTED_TOGETHER = 131_072

interface Issuer {
  readonly publicUrl: string
  readonly names: SiteNames
}

/** Returns the unsigned credential. Its texts are in the language of the course. */
export function toCredential(row: CertificateRow, { publicUrl, names }: Issuer) {
  const page = `${publicUrl}/certificate/${row.code}`
  const locale = /\p{Script=Cyrillic}/u.test(row.courseTitle) ? 'bg' : 'en'
  const list = `${publicUrl}${statusListPath(Math.floor(row.id / LISTED_TOGETHER))}`
  const index = String(row.id % LISTED_TOGETHER)
  const author = isFormerMember(row.author) ? translate(locale, 'formerMember') : row.author
  const lessons = row.lessons.map((title, place) => `${place + 1}. ${title}`).join('\n')
  return {
    '@context': [
      'https://www.w3.org/ns/credentials/v2',
      'https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json',
    ],
    id: page,
    type: ['VerifiableCredential', 'AchievementCredential'],
    name: row.courseTitle,
    issuer: {
      id: didOf(publicUrl),
      type: ['Profile'],
      name: siteNameIn(names, locale).site,
      url: publicUrl,
    },
    validFrom: `${row.date.toISOString().slice(0, 19)}Z`,
    credentialSubject: {
      id: `${page}#holder`,
      type: ['AchievementSubject'],
      identifier: [
        { type: 'IdentityObject', hashed: false, identityHash: row.name, identityType: 'name' },
      ],
      achievement: {
        id: `${publicUrl}/course/details/${row.courseId}`,
        type: ['Achievement'],
        achievementType: 'Course',
        inLanguage: locale,
        name: row.courseTitle,
        description: row.courseDescription,
        criteria: { narrative: translate(locale, 'credentialCriteria', { author, lessons }) },
      },
    },
    credentialStatus: {
      id: `${list}#${index}`,
      type: 'BitstringStatusListEntry',
      statusPurpose: 'revocation',
      statusListIndex: index,
      statusListCredential: list,
    },
  }
}

interface Signable {
  readonly id: string
  readonly issuer: { readonly id: string }
  readonly validFrom: string
  readonly credentialSubject: { readonly id: string }
}

/** Returns the credential as a JWT with the claims that Open Badges requires. `typ` goes into its header. */
export function signCredential(
  credential: Signable & Readonly<Record<string, unknown>>,
  { kid, key }: SigningKey,
  typ: 'JWT' | 'vc+jwt' = 'JWT',
): Promise<string> {
  const { id, issuer, validFrom, credentialSubject } = credential
  return new SignJWT({ ...credential })
    .setProtectedHeader({ alg: ALGORITHM, kid: `${issuer.id}#${kid}`, typ })
    .setIssuer(issuer.id)
    .setJti(id)
    .setSubject(credentialSubject.id)
    .setNotBefore(new Date(validFrom))
    .sign(key)
}
