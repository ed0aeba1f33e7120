import type { ReactNode } from 'react'
import type { PersonFile } from '#contract/people.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { useSession } from '#web/core/session.ts'
import { Time } from '#web/core/time/Time.tsx'
import { SignOutButton } from '#web/items/flags/SignOutButton.tsx'
import { SuspendButton } from '#web/items/flags/SuspendButton.tsx'
import { CorrectButton } from '#web/operate/people/CorrectButton.tsx'
import { DeleteAboutButton } from '#web/operate/people/DeleteAboutButton.tsx'
import { PersonMarks } from '#web/operate/people/PersonMarks.tsx'
import { ResetFactorsButton } from '#web/operate/people/ResetFactorsButton.tsx'
import { RoleButton } from '#web/operate/people/RoleButton.tsx'
import { Face } from '#web/ui/Face.tsx'
import styles from './People.module.css'

/** The head of a person's page: what the account is, and what can be done to it. */
export function PersonFacts({ person }: { readonly person: PersonFile }) {
  const { t, formatNumber } = useText()
  const viewer = useSession()
  const { id, email, previousEmail, counts, kbPoints, debt, seen, secondFactor, suspension } =
    person
  const isOwn = viewer?._id === id
  return (
    <div className={styles.person}>
      <Face src={person.imageUrl} eager />
      <div>
        <p>
          <Link to={to.profile(id)}>{t('personProfile')}</Link> <PersonMarks person={person} />
        </p>
        <dl className={styles.facts}>
          <Fact name={t('emailLabel')}>
            {email}
            {previousEmail !== null && (
              <small className="quiet">{t('personMailsTo', { email: previousEmail })}</small>
            )}
          </Fact>
          <Fact name={t('kbPoints')}>
            <span className="num">{formatNumber(kbPoints)}</span>
            {debt > 0 && (
              <small className="quiet">{t('personDebt', { points: formatNumber(debt) })}</small>
            )}
          </Fact>
          <Fact name={t('personMade')}>{t('personCounts', counts)}</Fact>
          <Fact name={t('peopleJoined')}>
            <Time date={person.joined} />
          </Fact>
          <Fact name={t('peopleSeen')}>
            {seen === null ? t('personNotSignedIn') : <Time date={seen} form="moment" />}
          </Fact>
          <Fact name={t('personFactor')}>
            {secondFactor === null ? t('freePreviewNone') : <Time date={secondFactor} />}
            {person.passkeys > 0 && (
              <small className="quiet">{t('personPasskeys', { count: person.passkeys })}</small>
            )}
          </Fact>
          {person.about !== '' && (
            <Fact name={t('aboutPerson')}>
              <small className={styles.about} dir="auto">
                {person.about}
              </small>
            </Fact>
          )}
          {suspension !== null && (
            <Fact name={t('peopleSuspended')}>
              <Time date={suspension.date} form="moment" />
              {suspension.reason !== null && <small dir="auto">{suspension.reason}</small>}
            </Fact>
          )}
        </dl>
        <p className="row">
          {!isOwn && <CorrectButton person={person} />}
          {!isOwn && person.role === 'user' && (
            <SuspendButton person={person} suspended={person.suspended} />
          )}
          {!isOwn && <SignOutButton person={person} />}
          {!isOwn && secondFactor !== null && <ResetFactorsButton person={person} />}
          {person.about !== '' && <DeleteAboutButton person={person} />}
          <RoleButton person={person} />
        </p>
      </div>
    </div>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
