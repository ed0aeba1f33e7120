/** Separate from refused.ts, which every page loads. */
import type { RefusedForm } from '#contract/render.ts'

type RefusalAlert = { readonly text: string; readonly status: number; readonly hasField: boolean }

const alerts = new WeakMap<RefusedForm, RefusalAlert | null>()

/**
 * Returns null if the error shows at a field, unless it is a conflict (409). Returns the same object for the same
 * refusal, because a remounted form would otherwise announce it again.
 */
export function alertOf(
  refused: RefusedForm | null,
  labels: Readonly<Record<string, string | undefined>>,
): RefusalAlert | null {
  if (refused === null) return null
  const known = alerts.get(refused)
  if (known !== undefined) return known
  const alert = toAlert(refused, labels)
  alerts.set(refused, alert)
  return alert
}

function toAlert(
  refused: RefusedForm,
  labels: Readonly<Record<string, string | undefined>>,
): RefusalAlert | null {
  const { message: text, status, fields } = refused
  const hasField = Object.keys(fields).some((field) => labels[field] !== undefined)
  return hasField && status !== 409 ? null : { text, status, hasField }
}
