import { Rich } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'

/** The policy opens in a new tab, because leaving the form would lose the password and the picture. */
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
