import { certificates, type Certificate } from '#contract/certificates.ts'
import { isFormerMember } from '#contract/former-member.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'

export { default as Page } from '#web/items/certificates/CertificatePage.tsx'

/** Replaces an invalid code by one that no certificate has, so that the server answers "not found". */
const codeIn = (param = ''): string =>
  /^[0-9a-hjkmnp-tv-z]{26}$/i.test(param) ? param : '0'.repeat(26)

export const loader = (({ params, api }) =>
  api(certificates.show, { code: codeIn(params['code']) })) satisfies Loader<Certificate>

/** Hidden from search engines unless its owner lists it. */
export const head: HeadOf<Certificate> = (certificate, { t }) => {
  const canonical = to.certificate(certificate.code)
  if (certificate.state !== 'valid')
    return { title: t('certificateEndedTitle'), canonical, hidden: true }
  const { name, courseTitle: course, courseId } = certificate
  const author = isFormerMember(certificate.author) ? t('formerMember') : certificate.author
  return {
    title: t('certificateTitle', { name, course }),
    description: t('certificateAbout', { name, course, author, site: t('brand') }),
    image: `/art/certificate/${courseId}.svg`,
    canonical,
    hidden: !certificate.listed,
  }
}
