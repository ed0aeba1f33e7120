import type { HomeNumbers } from '#contract/home.ts'
import { COURSE_REWARD, LESSON_PRICE, LESSON_REWARD } from '#contract/limits.ts'
import { useHere } from '#web/core/here.ts'
import { Rich, useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { useSettings } from '#web/core/settings.ts'
import { SearchBox } from '#web/layout/search/SearchBox.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/layout/header/Header.module.css'
import homeStyles from './Home.module.css'

interface WelcomeProps {
  readonly numbers: HomeNumbers
  /** Whether guests can read a lesson at once. */
  readonly hasFree: boolean
}

export function Welcome({ numbers, hasFree }: WelcomeProps) {
  const { t, formatNumber } = useText()
  const here = useHere()
  const { authorShare } = useSettings()
  const share = Math.floor((LESSON_PRICE * authorShare) / 100)
  const shown = { reward: LESSON_REWARD, course: COURSE_REWARD, price: LESSON_PRICE, share }
  return (
    <div className={classes('wrap', homeStyles.hero)}>
      <div>
        <h1>{t('homeTitle')}</h1>
        <p>{t('homeLead')}</p>
      </div>
      <ul className={homeStyles.facts}>
        {(['homeFactPublish', 'homeFactUnlock', 'homeFactShare'] as const).map(
          (key) =>
            (key !== 'homeFactShare' || share > 0) && (
              <li key={key}>
                <Rich id={key} values={shown} components={{ b: <b /> }} />
              </li>
            ),
        )}
      </ul>
      <p className={homeStyles.start}>
        {hasFree && (
          <ButtonLink as={Link} kind="main" big to={to.lessons({ free: '1', sort: 'views' })}>
            {t('homeStart')}
          </ButtonLink>
        )}
        <ButtonLink as={Link} kind={hasFree ? 'plain' : 'main'} big to={to.register(here)}>
          {t('navRegister')}
        </ButtonLink>
      </p>
      <div className={homeStyles.lookRound}>
        <SearchBox
          className={styles.search}
          label={t('homeSearchAll')}
          fieldLabel={t('homeSearchLabel')}
          hint={t('homeSearchHint')}
          lessonsOnly
        >
          <button type="submit" aria-label={t('searchLabel')}>
            <Icon name="search" />
          </button>
        </SearchBox>
        <p className={homeStyles.tally}>
          {(
            [
              ['homeLessons', numbers.lessons],
              ['homeCourses', numbers.courses],
              ['homeAuthors', numbers.authors],
            ] as const
          ).map(([id, count]) => (
            <span key={id}>
              <Rich
                id={id}
                values={{ count, shown: formatNumber(count) }}
                components={{ b: <b /> }}
              />
            </span>
          ))}
        </p>
      </div>
    </div>
  )
}
