import type { EndedCertificate } from '#contract/certificates.ts'
import { useText } from '#web/core/i18n.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { Time } from '#web/core/time/Time.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import styles from './Certificate.module.css'

/** A certificate that was withdrawn or revoked. */
export function Ended({ certificate }: { readonly certificate: EndedCertificate }) {
  const { t } = useText()
  const { state, code, courseTitle, date, ended } = certificate
  const isWithdrawn = state === 'withdrawn'
  return (
    <div className={styles.certificateEnded}>
      <Empty
        drawing="torn"
        as="h1"
        title={t(isWithdrawn ? 'certificateEndedWithdrawn' : 'certificateEndedRevoked')}
      >
        {t(isWithdrawn ? 'certificateEndedByOwner' : 'certificateEndedBySite')}
      </Empty>
      <dl>
        <dt>{t('certificateEndedCourse')}</dt>
        <dd lang={textLanguage(courseTitle)} dir="auto">
          {courseTitle}
        </dd>
        <dt>{t('certificateTaken')}</dt>
        <dd>
          <Time date={date} />
        </dd>
        <dt>{t('certificateEndedOn')}</dt>
        <dd>
          <Time date={ended} />
        </dd>
        <dt>{t('certificateCode')}</dt>
        <dd className={styles.code}>{code}</dd>
      </dl>
    </div>
  )
}
