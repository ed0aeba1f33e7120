import { Rich, useText } from '#web/core/i18n.tsx'
import { useSession } from '#web/core/session.ts'
import { useSettings } from '#web/core/settings.ts'
import { Icon } from '#web/ui/Icon.tsx'

/** On every page of somebody whom the moderators have suspended: what still works, and whom to write to. */
export function SuspendedBanner() {
  const { t } = useText()
  const person = useSession()
  const { mail } = useSettings()
  if (person?.suspended !== true) return null
  return (
    <aside className="suspension" aria-label={t('suspensionTitle')}>
      <div className="wrap">
        <Icon name="lock" />
        <p>
          <Rich
            id="suspensionWhat"
            values={{ mail }}
            components={{ write: <a href={`mailto:${mail}`} /> }}
          />
        </p>
      </div>
    </aside>
  )
}
