import type { OwnCertificate } from '#contract/certificates.ts'
import { clothIndex } from '#contract/dyes.ts'
import { Seal } from '#web/items/certificates/sheet/Seal.tsx'
import type { loader } from '#web/items/certificates/YourCertificatesPage.data.ts'
import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { Time } from '#web/core/time/Time.tsx'
import { PageLinks } from '#web/layout/paging/PageLinks.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { StateWord } from '#web/ui/books/StateWord.tsx'
import { classes } from '#web/ui/classes.ts'
import { Empty } from '#web/ui/Empty.tsx'
import { Head } from '#web/ui/Head.tsx'
import styles from './Certificate.module.css'

/** Includes certificates that were withdrawn or revoked. */
export default function YourCertificatesPage() {
  const { certificates, total, page, pages } = usePageData<typeof loader>()
  const { t } = useText()
  if (total === 0)
    return (
      <>
        <Head title={t('certificatesYours')} as="h1" />
        <Empty
          drawing="shelf"
          title={t('certificatesNone')}
          step={
            <ButtonLink as={Link} kind="main" to={to.boughtCourses()}>
              {t('boughtCourses')}
            </ButtonLink>
          }
        >
          {t('certificatesNoneWhat')}
        </Empty>
      </>
    )
  return (
    <>
      <Head title={t('certificatesYours')} as="h1">
        <p className="quiet num">{t('certificatesCount', { total })}</p>
      </Head>
      <ul className={styles.certificateList}>
        {certificates.map((certificate) => (
          <Line key={certificate.code} certificate={certificate} />
        ))}
      </ul>
      <PageLinks page={page} pages={pages} href={to.certificates} />
    </>
  )
}

function Line({ certificate }: { readonly certificate: OwnCertificate }) {
  const { t } = useText()
  const { code, state, name, courseId, courseTitle, date, listed } = certificate
  return (
    <li className={classes(`cloth-${clothIndex(courseId)}`, state !== 'valid' && styles.ended)}>
      <Seal />
      <div>
        <h2 lang={textLanguage(courseTitle)} dir="auto">
          <Link to={to.certificate(code)}>{courseTitle}</Link>
        </h2>
        {name !== '' && <p dir="auto">{name}</p>}
        <p className="quiet">
          {t('certificateTaken')} <Time date={date} />
        </p>
        {state !== 'valid' && (
          <StateWord icon="block">
            {t(state === 'withdrawn' ? 'certificateStateWithdrawn' : 'certificateStateRevoked')}
          </StateWord>
        )}
        {listed && <StateWord icon="search">{t('certificateStateListed')}</StateWord>}
      </div>
    </li>
  )
}
