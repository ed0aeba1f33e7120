/** The opinion of the model that is shipped: no network, no waiting. */
import { readFileSync } from 'node:fs'
import { judgeBy } from '#server/opinion/judge.ts'
import { decodeModel, type Model } from '#server/opinion/model.ts'
import type { Opinion } from '#server/opinion/opinion.ts'
import { MODEL_FILE } from '#server/opinion/paths.ts'

let localModel: Model | undefined

/** Judges by the model that comes with the product; it needs no network, so it always answers. */
export function judgeLocally(text: string): Opinion {
  // Read for the first comment: it takes a tenth of a second, which a node that starts has no time for, and one whose
  // jobs run elsewhere never needs.
  localModel ??= decodeModel(readFileSync(MODEL_FILE))
  return { ...judgeBy(localModel, text), model: localModel.name }
}
