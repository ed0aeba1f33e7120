import { LESSON_PRICE, LESSON_REWARD } from '#contract/limits.ts'
import { InfoPage, type InfoSection } from '#web/info/InfoPage.tsx'

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

/** What this is, what it is built with, who made it. */
export default function AboutPage() {
  const values = { reward: LESSON_REWARD, price: LESSON_PRICE }
  return <InfoPage title="aboutTitle" lead="aboutLead" sections={sections} values={values} />
}
