/** What a comment sounds like, and its language, by the model that comes with this package. */
import { readFileSync } from 'node:fs'
import { detectLanguageBy, judgeBy, type Judged } from './judge.ts'
import type { Language } from './language.ts'
import { decodeModel, type Model } from './model.ts'
import { MODEL_FILE } from './paths.ts'

export interface Opinion extends Judged {
  /** Name and version of the model. */
  readonly model: string
}

let model: Model | undefined

/** Reads the model for the first text, because that takes a tenth of a second. */
function loadModel(): Model {
  model ??= decodeModel(readFileSync(MODEL_FILE))
  return model
}

/** Judges a text. It needs no network, so it always answers. */
export function judge(text: string): Opinion {
  const loaded = loadModel()
  return { ...judgeBy(loaded, text), model: loaded.name }
}

/** The language of some texts taken together; `none` when they have no words. */
export function detectLanguage(texts: readonly (string | null)[]): Language {
  return detectLanguageBy(loadModel(), texts.filter((text) => text !== null).join('. '))
}
