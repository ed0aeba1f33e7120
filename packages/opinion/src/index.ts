/** Determines the sentiment and language of a comment with the included model. */
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

/** Loads the model on first use, because that takes 100 ms. */
function loadModel(): Model {
  model ??= decodeModel(readFileSync(MODEL_FILE))
  return model
}

/** Judges a text locally, so that it never fails. */
export function judge(text: string): Opinion {
  const loaded = loadModel()
  return { ...judgeBy(loaded, text), model: loaded.name }
}

/** Returns the language of several texts together, or `none` if they contain no words. */
export function detectLanguage(texts: readonly (string | null)[]): Language {
  return detectLanguageBy(loadModel(), texts.filter((text) => text !== null).join('. '))
}
