import { Rich } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'

/** What registering agrees to, above the button. It opens beside the form, which would lose the password and the picture. */
export function Consent() {
  return (
    <p className="quiet">
      <Rich
        id="registerConsent"
        components={{ a: <a href={to.privacy()} target="_blank" rel="noopener" /> }}
      />
    </p>
  )
}
