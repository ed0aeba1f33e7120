import { credentialPath, KEYS_PATH, type ValidCertificate } from '#contract/certificates.ts'
import type { loader } from '#web/items/certificates/CertificatePage.data.ts'
import { Ended } from '#web/items/certificates/Ended.tsx'
import { Sheet } from '#web/items/certificates/sheet/Sheet.tsx'
import { useText } from '#web/core/i18n.tsx'
import { useMoment } from '#web/core/moments/moment.ts'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { useSettings } from '#web/core/settings.ts'
import { ShareButton } from '#web/items/shared/sharing/ShareButton.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { OwnSteps } from '#web/items/certificates/OwnSteps.tsx'
import { SignedIn } from '#web/core/SignedIn.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Certificate.module.css'

/** Visible to everybody who has its URL. */
export default function CertificatePage() {
  const certificate = usePageData<typeof loader>()
  const moment = useMoment()
  if (certificate.state !== 'valid') return <Ended certificate={certificate} />
  return (
    <>
      {moment}
      <div className={styles.certificatePage}>
        <Sheet certificate={certificate} />
        <aside className={styles.side}>
          <SignedIn>
            <OwnSteps key={certificate.code} certificate={certificate} />
          </SignedIn>
          <Steps certificate={certificate} />
        </aside>
      </div>
    </>
  )
}

function Steps({ certificate }: { readonly certificate: ValidCertificate }) {
  const { t } = useText()
  const { origin } = useSettings()
  const { code, name, courseTitle: course, courseId, courseThere, authorNow } = certificate
  return (
    <>
      <section aria-labelledby="verify">
        <h2 id="verify">{t('certificateVerify')}</h2>
        <p>
          {t('certificateVerifyHere')} <b>{origin + to.certificate(code)}</b>
        </p>
        <details>
          <summary>{t('certificateVerifyHow')}</summary>
          <p>{t('certificateVerifyWhat', { keys: origin + KEYS_PATH })}</p>
          <p>
            <ButtonLink as="a" icon="down" href={credentialPath(code)} download>
              {t('certificateDownload')}
            </ButtonLink>
          </p>
        </details>
      </section>
      <p className={classes('acts', styles.acts)}>
        <Button icon="page" onClick={() => window.print()}>
          {t('certificatePrint')}
        </Button>
        <ShareButton title={t('certificateTitle', { name, course })} path={to.certificate(code)} />
        {courseThere && (
          <ButtonLink as={Link} kind="bare" icon="book" to={to.course(courseId)}>
            {t('certificateCourse')}
          </ButtonLink>
        )}
        {authorNow !== null && (
          <ButtonLink as={Link} kind="bare" icon="user" to={to.by(authorNow)}>
            {t('certificateAuthor')}
          </ButtonLink>
        )}
      </p>
    </>
  )
}
