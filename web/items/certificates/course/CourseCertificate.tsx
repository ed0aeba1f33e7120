import { useState } from 'react'
import type { TowardsCertificate } from '#contract/certificates.ts'
import type { Course } from '#contract/courses.ts'
import { TakeDialog } from '#web/items/certificates/course/TakeDialog.tsx'
import { useTowards } from '#web/items/certificates/course/use-towards.ts'
import { Seal } from '#web/items/certificates/sheet/Seal.tsx'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { useSession } from '#web/core/session.ts'
import { textLanguage } from '#web/core/text-language.ts'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import styles from './CourseCertificate.module.css'
import noteStyles from '#web/ui/styles/Note.module.css'

export interface CourseCertificateProps {
  readonly course: Course
  /** Ids of finished lessons. A change asks the server again. */
  readonly done: readonly number[]
  /** The number of self-checks passed since the page was opened. A change asks the server again. */
  readonly passes: number
}

/** Shows what is missing for the certificate, to people who have unlocked the course. */
export function CourseCertificate(props: CourseCertificateProps) {
  return props.course.bought ? <Certificate {...props} /> : null
}

function Certificate({ course, done, passes }: CourseCertificateProps) {
  const { t } = useText()
  const known = done.toSorted((one, other) => one - other).join()
  const { towards, failed, ask } = useTowards(course.id, `${known} ${passes}`)
  if (failed)
    return (
      <section className={styles.towardsCertificate}>
        <p className="quiet">
          {t('certificateFailed')}{' '}
          <Button kind="bare" icon="retry" onClick={ask}>
            {t('tryAgain')}
          </Button>
        </p>
      </section>
    )
  // Reserves the space, so that nothing moves when the answer arrives.
  if (towards === null) return <section className={styles.towardsCertificate} aria-hidden="true" />
  const isReady = towards.missing.length === 0 && towards.taken === null
  return (
    <section
      className={styles.towardsCertificate}
      data-ready={isReady || undefined}
      aria-labelledby="towards-certificate"
    >
      <Seal className={isReady || towards.taken?.state === 'valid' ? undefined : styles.pale} />
      <div>
        <h2 id="towards-certificate">{t('certificate')}</h2>
        <State course={course} towards={towards} onRefused={ask} />
      </div>
    </section>
  )
}

interface StateProps {
  readonly course: Course
  readonly towards: TowardsCertificate
  readonly onRefused: () => void
}

function State({ course, towards, onRefused }: StateProps) {
  const { t } = useText()
  const { done, total, missing, taken } = towards
  if (taken?.state === 'revoked') return <p>{t('certificateWasRevoked')}</p>
  if (taken !== null)
    return (
      <>
        <p>{t('certificateYoursThere')}</p>
        <ButtonLink as={Link} kind="main" icon="page" to={to.certificate(taken.code)}>
          {t('certificateShow')}
        </ButtonLink>
      </>
    )
  return (
    <>
      <p className="num" role="status">
        {missing.length === 0 ? t('certificateReady') : t('certificateTowards', { done, total })}
      </p>
      {missing.length === 0 ? (
        <Take course={course} onRefused={onRefused} />
      ) : (
        <Missing course={course.id} missing={missing} />
      )}
    </>
  )
}

function Missing({
  course,
  missing,
}: Pick<TowardsCertificate, 'missing'> & { readonly course: number }) {
  const { t } = useText()
  return (
    <details>
      <summary>{t('certificateMissing')}</summary>
      <ul>
        {missing.map(({ id, title, what }) => (
          <li key={`${id} ${what}`}>
            <Link to={to.course(course, id)} lang={textLanguage(title)} dir="auto">
              {title}
            </Link>{' '}
            <span className="quiet">
              {t(what === 'lesson' ? 'certificateNotDone' : 'certificateNotPassed')}
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}

function Take({ course, onRefused }: Pick<StateProps, 'course' | 'onRefused'>) {
  const { t } = useText()
  const isSuspended = useSession()?.suspended === true
  const [open, setOpen] = useState(false)
  if (isSuspended) return <p className={noteStyles.gate}>{t('certificateSuspended')}</p>
  return (
    <>
      <Button kind="main" icon="check" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t('certificateTake')}
      </Button>
      <TakeDialog
        course={course}
        open={open}
        onClose={() => setOpen(false)}
        onRefused={onRefused}
      />
    </>
  )
}
