/** The opinion of the model that is shipped: no network, no waiting. */
import { readFileSync } from 'node:fs'
import { judgeBy } from '#server/opinion/judge.ts'
import { decodeModel } from '#server/opinion/model.ts'
import type { Opinion } from '#server/opinion/opinion.ts'
import { MODEL_FILE } from '#server/opinion/paths.ts'

const localModel = decodeModel(readFileSync(MODEL_FILE))

/** Judges by the model that comes with the product; it needs no network, so it always answers. */
export function judgeLocally(text: string): Opinion {
  return { ...judgeBy(localModel, text), model: localModel.name }
}
