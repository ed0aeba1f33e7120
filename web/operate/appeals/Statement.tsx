import type { Act } from '#contract/appeals.ts'
import { useText } from '#web/core/i18n.tsx'
import { Quoted } from '#web/core/Quoted.tsx'
import { ACT_WORDS } from '#web/operate/appeals/act-words.ts'
import styles from './Statement.module.css'

/** What a decision is about, its reason and its rule, what it covers, and who took it. */
export function Statement({ act }: { readonly act: Act }) {
  const { t } = useText()
  const { rule, effect } = ACT_WORDS[act.action]
  return (
    <div className={styles.statement}>
      {act.subject !== null && <Quoted text={act.subject} />}
      {act.reason !== null && <p>{t('pointsReason', { reason: act.reason })}</p>}
      <p>{t(rule)}</p>
      <p>{t(effect)}</p>
      <p className="quiet">{t(act.automated ? 'appealAutomated' : 'appealByPerson')}</p>
    </div>
  )
}
