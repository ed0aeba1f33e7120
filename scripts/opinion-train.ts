/** `npm run opinion:train`: makes server/opinion/model.bin of the texts in server/opinion/training/texts/. */
import { writeFileSync } from 'node:fs'
import { readArguments } from '#scripts/arguments.mjs'
import { readMaterial } from '#server/opinion/training/corpus.ts'
import { MODEL_FILE } from '#server/opinion/paths.ts'
import { encodeModel } from '#server/opinion/model.ts'
import { TEXTS } from '#server/opinion/training/paths.ts'
import { train } from '#server/opinion/training/train.ts'

readArguments(
  'npm run opinion:train   makes server/opinion/model.bin of the texts in server/opinion/training/texts. No options.',
  {},
)
const material = readMaterial(TEXTS)
const bytes = encodeModel(train(material))
writeFileSync(MODEL_FILE, bytes)
console.log(
  `${material.comments.length} comments, ${material.lexicon.size} lexicon entries: ${bytes.length} bytes`,
)
