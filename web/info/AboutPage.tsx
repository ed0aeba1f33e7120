import {
  COURSE_PRICE,
  COURSE_REWARD,
  LESSON_PRICE,
  LESSON_REWARD,
  MOST_AUTHOR_SHARE,
} from '#contract/limits.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { useSession } from '#web/core/session.ts'
import { useSettings } from '#web/core/settings.ts'
import { InfoPage, type InfoSection } from '#web/info/InfoPage.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'

const sections: readonly InfoSection[] = [
  { title: 'aboutWhat', paragraphs: ['aboutWhat1', 'aboutWhat2'] },
  { title: 'aboutHow', paragraphs: [], list: ['aboutHow1', 'aboutHow2', 'aboutHow3'] },
  {
    title: 'aboutTech',
    paragraphs: ['aboutTechLead'],
    list: [
      'aboutTechServer',
      'aboutTechWork',
      'aboutTechChat',
      'aboutTechWeb',
      'aboutTechForms',
      'aboutTechEditor',
      'aboutTechFonts',
    ],
  },
  { title: 'aboutAuthors', paragraphs: ['aboutAuthors1', 'aboutAuthors2'] },
]

export default function AboutPage() {
  const { authorShare } = useSettings()
  const { t, formatNumber } = useText()
  const isGuest = useSession() === null
  const values = {
    reward: LESSON_REWARD,
    courseReward: COURSE_REWARD,
    price: LESSON_PRICE,
    coursePrice: COURSE_PRICE,
    percent: authorShare,
    most: formatNumber(MOST_AUTHOR_SHARE),
  }
  const shown = sections.map((section) =>
    authorShare > 0 && section.title === 'aboutHow'
      ? { ...section, list: ['pointsShare' as const, ...(section.list ?? [])] }
      : section,
  )
  const next = (
    <p className="acts">
      <ButtonLink as={Link} kind="main" to={isGuest ? to.register() : to.createLesson()}>
        {t(isGuest ? 'navRegister' : 'createLesson')}
      </ButtonLink>
      <ButtonLink as={Link} to={to.lessons()}>
        {t('browseLessons')}
      </ButtonLink>
    </p>
  )
  return (
    <InfoPage title="aboutTitle" lead="aboutLead" sections={shown} values={values} next={next} />
  )
}
