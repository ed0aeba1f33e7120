import { expect, test } from 'vitest'
import { readFolder, readMaterial } from '../training/corpus.ts'
import { judgeBy } from '../src/judge.ts'
import { soundOf, toCyrillic, toLatin } from '../src/letters.ts'
import { decodeModel, encodeModel } from '../src/model.ts'
import { EVALUATION, TEXTS } from '../training/paths.ts'
import { train } from '../training/train.ts'

const all = readMaterial(TEXTS)
const some = { ...all, comments: all.comments.filter((_, index) => index % 80 === 0) }
const model = train(some)

test('the same texts give identical bytes', () => {
  expect(encodeModel(train(some)).equals(encodeModel(model))).toBe(true)
})

test('a model read from its file gives the same results', () => {
  const again = decodeModel(encodeModel(model))
  expect(again.vocabulary.entries).toEqual(model.vocabulary.entries)
  const labelsBy = (one: typeof model) => some.comments.map(({ text }) => judgeBy(one, text).label)
  const before = labelsBy(model)
  const changed = labelsBy(again).filter((label, index) => label !== before[index])
  expect(changed.length).toBeLessThan(some.comments.length / 20)
})

test('no comment is in the training data with two labels', () => {
  const labels = new Map<string, string>()
  const torn = all.comments.filter(({ text, label }) => {
    const before = labels.get(text.toLowerCase())
    labels.set(text.toLowerCase(), label)
    return before !== undefined && before !== label
  })
  expect(torn).toEqual([])
})

test('no comment of the evaluation is in the training data', () => {
  // Ignores punctuation and case. Texts without words are never duplicates.
  const wordsOf = (text: string) =>
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(' ')
  const learnt = new Set(all.comments.map(({ text }) => wordsOf(text)))
  const known = readFolder(EVALUATION).filter(
    ({ text }) => wordsOf(text) !== undefined && learnt.has(wordsOf(text)),
  )
  expect(known).toEqual([])
})

test('every transliteration of Bulgarian has the same sound', () => {
  for (const word of ['тъпак', 'щастие', 'благодаря', 'ябълка', 'хубавия', 'чужд']) {
    for (let way = 0; way < 3; way += 1) expect(soundOf(toLatin(word, way))).toBe(soundOf(word))
  }
  expect(toCyrillic('shtastie')).toBe('щастие')
})
