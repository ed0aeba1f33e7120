import { alertOf } from '#web/core/form/alert-of.ts'
import { FormAlert } from '#web/core/form/FormAlert.tsx'
import { useRefused } from '#web/core/form/refused.ts'

/** Says why an item was not unlocked that was asked for without JavaScript. */
export function RefusedPurchase() {
  return <FormAlert alert={alertOf(useRefused(), {})} />
}
