import {
  KNOWN_DEVICE_DAYS,
  MAIL_RECORD_DAYS,
  MODERATED_DAYS,
  SESSION_DAYS,
  UNDO_DAYS,
} from '#contract/limits.ts'
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

const values = {
  sessionDays: SESSION_DAYS,
  deviceDays: KNOWN_DEVICE_DAYS,
  mailDays: MAIL_RECORD_DAYS,
  // Deleted comments are cleared a day after they can no longer be restored.
  deletedDays: UNDO_DAYS + 1,
  moderatedDays: MODERATED_DAYS + 1,
}

export default function PrivacyPage() {
  return <InfoPage title="privacyTitle" lead="privacyLead" sections={sections} values={values} />
}
