/** The opinion of the model that is shipped: no network, no waiting. */
import { readFileSync } from 'node:fs'
import { judgeBy } from './judge.ts'
import { decodeModel } from './model.ts'
import type { Opinion } from './opinion.ts'
import { MODEL_FILE } from './paths.ts'

const localModel = decodeModel(readFileSync(MODEL_FILE))

export function judgeLocally(text: string): Opinion {
  return { ...judgeBy(localModel, text), model: localModel.name }
}
