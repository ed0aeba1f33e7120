import type { Act } from '#contract/appeals.ts'
import { useText } from '#web/core/i18n.tsx'
import { Quoted } from '#web/core/Quoted.tsx'
import { ACT_WORDS } from '#web/operate/appeals/act-words.ts'

/** The reasons of a decision. */
export function Statement({ act }: { readonly act: Act }) {
  const { t } = useText()
  const { what, rule, effect } = ACT_WORDS[act.action]
  return (
    <>
      <p>{t(what)}</p>
      {act.subject !== null && <Quoted text={act.subject} />}
      {act.reason !== null && <p>{t('pointsReason', { reason: act.reason })}</p>}
      <p>{t(rule)}</p>
      <p>{t(effect)}</p>
      <p>{t(act.automated ? 'appealAutomated' : 'appealByPerson')}</p>
    </>
  )
}
