/** The opinion of the model that is shipped: no network, no waiting. */
import { readFileSync } from 'node:fs'
import { hear, judgeBy } from '#server/opinion/judge.ts'
import type { LANGUAGES } from '#server/opinion/language.ts'
import { decodeModel, type Model } from '#server/opinion/model.ts'
import type { Opinion } from '#server/opinion/opinion.ts'
import { MODEL_FILE } from '#server/opinion/paths.ts'

let localModel: Model | undefined

function readModel(): Model {
  // Read for the first text: it takes a tenth of a second, which a node that starts has no time for.
  localModel ??= decodeModel(readFileSync(MODEL_FILE))
  return localModel
}

/** Judges by the model that comes with the product; it needs no network, so it always answers. */
export function judgeLocally(text: string): Opinion {
  const model = readModel()
  return { ...judgeBy(model, text), model: model.name }
}

/** What some texts of one item are in, heard together; `none`: they have no words. */
export function hearLanguage(texts: readonly (string | null)[]): (typeof LANGUAGES)[number] {
  return hear(readModel(), texts.filter((text) => text !== null).join('. '))
}
