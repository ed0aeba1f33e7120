import { useText } from '#web/core/i18n.tsx'
import type { SendingState } from '#web/items/drafts/sender.ts'

/** Says whether the draft is on the server. Only what needs attention is announced. */
export function DraftState({ state }: { readonly state: SendingState }) {
  const { t, formatMoment } = useText()
  return (
    <>
      {state.kind === 'saved' && (
        <p className="quiet small">
          {t(state.isBare ? 'draftSavedBare' : 'draftSavedAt', { time: formatMoment(state.at) })}
        </p>
      )}
      <div role="status">
        {state.kind === 'waits' && <p className="quiet small">{t('draftWaits')}</p>}
        {state.kind === 'kept' && <p>{t('draftKeptHere', { why: state.why })}</p>}
        {state.kind === 'newer' && <p>{t('draftNewerElsewhere')}</p>}
      </div>
    </>
  )
}
