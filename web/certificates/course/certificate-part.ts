/** The way to the certificate of a course, as a part of the views that place it: guests never load it. */
import { personPart } from '#web/core/router/page-view.ts'

export const courseCertificate = personPart('certificates/course/CourseCertificate', async () => {
  const { CourseCertificate } = await import('#web/certificates/course/CourseCertificate.tsx')
  return CourseCertificate
})
