import { Link } from '#web/core/router/Link.tsx'
import type { Comment } from '#contract/comments.ts'
import { ROWS_PER_PAGE } from '#contract/limits.ts'
import type { Profile } from '#contract/profiles.ts'
import { OPENS } from '#web/core/router/arrival.ts'
import { Rich, useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { useSession } from '#web/core/session.ts'
import { textLanguage } from '#web/core/text-language.ts'
import { Time } from '#web/core/time/Time.tsx'
import { TurnLinks } from '#web/layout/paging/PageLinks.tsx'
import { pagesOf } from '#web/community/profiles/profile-pages.ts'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Face } from '#web/ui/Face.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Profile.module.css'
import commentsStyles from '#web/items/comments/Comments.module.css'

interface ProfileCommentsProps {
  readonly profile: Profile
  readonly page: number
}

/** Contains only comments that the reader may see. */
export function ProfileComments({ profile, page }: ProfileCommentsProps) {
  const { t, formatNumber } = useText()
  const isOwn = useSession()?._id === profile.id
  const { comments, counts, username } = profile
  if (comments.length === 0) {
    return (
      <Empty
        drawing="talk"
        title={t(isOwn ? 'profileNoCommentsOwn' : 'profileNoComments', { username })}
        step={
          isOwn && (
            <ButtonLink as={Link} kind="main" to={to.lessons()}>
              {t('profileFindLessons')}
            </ButtonLink>
          )
        }
      />
    )
  }
  const expected = Math.min(ROWS_PER_PAGE, counts.comments - (page - 1) * ROWS_PER_PAGE)
  return (
    <div className={styles.sayings}>
      {comments.length < expected && (
        <p className={classes('quiet', styles.quiet)}>
          {t('profileSomeComments', { total: formatNumber(counts.comments) })}
        </p>
      )}
      {comments.map((comment) => (
        <Said key={comment.id} comment={comment} />
      ))}
      <TurnLinks
        page={page}
        more={comments.length === ROWS_PER_PAGE && page < pagesOf(counts.comments)}
        href={(number) => to.profile(profile.id, 'comments', number)}
      />
    </div>
  )
}

function Said({ comment }: { readonly comment: Comment }) {
  const { lessonId, lessonTitle, text, date, profilePicture } = comment
  return (
    <article className={commentsStyles.say}>
      <Face src={profilePicture} />
      <header>
        <span>
          <Rich
            id="profileCommentOn"
            values={{ title: lessonTitle }}
            components={{
              lesson: (
                <Link
                  to={to.lesson(lessonId)}
                  state={OPENS}
                  lang={textLanguage(lessonTitle)}
                  dir="auto"
                />
              ),
            }}
          />
        </span>
        <span className={classes('quiet small', styles.quiet)}>
          <Time date={date} form="ago" />
        </span>
      </header>
      <p lang={textLanguage(text)} dir="auto">
        {text}
      </p>
    </article>
  )
}
