/** Trains a model from comments, a lexicon and samples of other languages. Deterministic. */
import { gatherVocabulary, type Comment, type Material } from './corpus.ts'
import { featuresOf } from '../src/features.ts'
import { LANGUAGES, languageFeatures } from '../src/language.ts'
import { createRandom, learn, shuffle, type Example } from './learn.ts'
import { LABELS } from '../src/labels.ts'
import { toLatin } from '../src/letters.ts'
import type { Model } from '../src/model.ts'
import { read } from '../src/reading.ts'
import { createVocabulary } from '../src/vocabulary.ts'

const NAME = 'bazaar-1 local'
const SEED = 20_261
const FOLDS = 5
const MASH = 400
/** Determined by cross-validation (evaluate.ts prints confidence and accuracy). */
const TEMPERATURE = 1.15

const ROWS = [
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'явертъуиоп',
  'асдфгхйкл',
  'зьцжбнм',
  'йцукенгшщз',
  'бвгджзклмнпрстфхцчшщ',
  'bcdfghjklmnpqrstvwxz',
  'abcdefghijklmnopqrstuvwxyz',
  'абвгдежзийклмнопрстуфхцчшщъьюя',
]

/** Returns random keyboard mashing. */
function mash(random: () => number): string {
  const pick = (row: string) => row.charAt(Math.floor(random() * row.length))
  const row = ROWS[Math.floor(random() * ROWS.length)] ?? ''
  const word = (): string => {
    const length = 2 + Math.floor(random() * 8)
    if (random() < 0.25) return pick(row).repeat(length + 4)
    if (random() < 0.25) {
      const part = pick(row) + pick(row) + pick(row)
      return part.repeat(1 + Math.floor(random() * 3))
    }
    if (random() < 0.3) {
      const start = Math.floor(random() * row.length)
      return row.slice(start, start + length) || pick(row)
    }
    return Array.from({ length }, () => pick(row)).join('')
  }
  return Array.from({ length: 1 + Math.floor(random() * 5) }, word).join(' ')
}

const languageOf = (comment: Comment) => LANGUAGES.indexOf(comment.language)

/** Trains both models. Treats each comment's own words as unknown while learning from it, as in new comments. */
export function train(material: Material): Model {
  const { comments, lexicon, others, source } = material
  const random = createRandom(SEED)
  const rows = shuffle(comments, random)
  const vocabulary = createVocabulary(gatherVocabulary(rows, lexicon))
  const opinions: Example[] = []
  const languages: Example[] = []
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const inside = (_: unknown, index: number) => index % FOLDS === fold
    const rest = createVocabulary(
      gatherVocabulary(
        rows.filter((row, index) => !inside(row, index)),
        lexicon,
      ),
    )
    const addExample = (text: string, label: string, weight = 1) =>
      languages.push({
        features: languageFeatures(read(text, rest)),
        label: LANGUAGES.findIndex((one) => one === label),
        weight,
      })
    for (const [index, comment] of rows.filter(inside).entries()) {
      if (comment.label === 'UNKNOWN') continue
      opinions.push({
        features: featuresOf(read(comment.text, rest), rest),
        label: LABELS.indexOf(comment.label),
      })
      if (comment.kind === 'mixed' || comment.kind === 'code' || comment.kind === 'emoji') continue
      addExample(comment.text, LANGUAGES[languageOf(comment)] ?? '')
      if (comment.language === 'bg' && comment.kind !== 'latin')
        addExample(toLatin(comment.text, index), 'bg', 0.5)
    }
    for (const text of others.filter(inside)) addExample(text, 'other', 2)
    for (let made = 0; made < MASH / FOLDS; made += 1) addExample(mash(random), 'none')
  }
  const settings = { rarest: 2, seed: SEED } as const
  return {
    name: NAME,
    source,
    vocabulary: vocabulary,
    opinions: learn(opinions, {
      ...settings,
      labels: LABELS.length,
      rounds: 16,
      rate: 0.2,
      pull: 2e-3,
    }),
    languages: learn(languages, {
      ...settings,
      labels: LANGUAGES.length,
      rounds: 12,
      rate: 0.3,
      pull: 2e-4,
    }),
    temperature: TEMPERATURE,
  }
}
