import { isFormerMember } from '#contract/former-member.ts'
import { useHere } from '#web/core/here.ts'
import { Rich, useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { useSession } from '#web/core/session.ts'
import { ASK_ID } from '#web/items/shared/asking/ask-place.ts'
import type { AskedLesson } from '#web/items/shared/asking/asking.ts'
import { AskForm } from '#web/items/shared/asking/AskForm.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/items/comments/ComposeForm.module.css'
import commentsStyles from '#web/items/comments/Comments.module.css'

interface AskAuthorProps {
  readonly lesson: AskedLesson
  /** Undefined where the tab above already is the heading. */
  readonly level?: 'h2'
}

/** Renders nothing for the author, and nothing when the author has left. */
export function AskAuthor({ lesson, level: Heading }: AskAuthorProps) {
  const { t } = useText()
  const person = useSession()
  const here = useHere()
  if (person?._id === lesson.owner || isFormerMember(lesson.ownerName)) return null
  return (
    <section
      className={classes(commentsStyles.ask, styles.ask)}
      id={ASK_ID}
      aria-label={t('askAuthor')}
    >
      {Heading !== undefined && <Heading>{t('askAuthor')}</Heading>}
      {person === null ? (
        <p className="quiet">
          <Rich id="askGuest" components={{ login: <Link to={to.login(`${here}#${ASK_ID}`)} /> }} />
        </p>
      ) : (
        <>
          <AskForm key={lesson.id} lesson={lesson} />
          <div className="acts">
            <ButtonLink as={Link} kind="bare" icon="mail" to={to.contact(lesson.id)}>
              {t('contactTitle')}
            </ButtonLink>
            <ButtonLink as={Link} kind="bare" icon="talk" to={to.chat(lesson.ownerName)}>
              {t('askInChat')}
            </ButtonLink>
          </div>
        </>
      )}
    </section>
  )
}
