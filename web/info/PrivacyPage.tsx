import { InfoPage, type InfoSection } from '#web/info/InfoPage.tsx'

const sections: readonly InfoSection[] = [
  {
    title: 'privacyAccount',
    paragraphs: ['privacyAccount1', 'privacyAccount2', 'privacyAccount3'],
  },
  { title: 'privacyLogs', paragraphs: ['privacyLogs1', 'privacyLogs2'] },
  { title: 'privacyCookies', paragraphs: ['privacyCookies1', 'privacyCookies2'] },
  { title: 'privacyMail', paragraphs: ['privacyMail1', 'privacyMail2'] },
  { title: 'privacyOpinion', paragraphs: ['privacyOpinion1'] },
  { title: 'privacyVideos', paragraphs: ['privacyVideos1'] },
  { title: 'privacyAds', paragraphs: ['privacyAds1'] },
  { title: 'privacyChildren', paragraphs: ['privacyChildren1'] },
  { title: 'privacyConsent', paragraphs: ['privacyConsent1'] },
]

export default function PrivacyPage() {
  return <InfoPage title="privacyTitle" lead="privacyLead" sections={sections} />
}
