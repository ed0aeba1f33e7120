/** `npm run opinion:train` generates model.bin from the texts in training/texts/. */
import { writeFileSync } from 'node:fs'
import { readMaterial } from './corpus.ts'
import { MODEL_FILE } from '../src/paths.ts'
import { encodeModel } from '../src/model.ts'
import { TEXTS } from './paths.ts'
import { readOptions } from './options.ts'
import { train } from './train.ts'

readOptions(
  'npm run opinion:train   makes packages/opinion/model.bin of packages/opinion/training/texts. No options.',
)
const material = readMaterial(TEXTS)
const bytes = encodeModel(train(material))
writeFileSync(MODEL_FILE, bytes)
console.log(
  `${material.comments.length} comments, ${material.lexicon.size} lexicon entries: ${bytes.length} bytes`,
)
