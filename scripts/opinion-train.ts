/** `npm run opinion:train`: makes server/opinion/model.bin of the texts in server/opinion/training/. */
import { writeFileSync } from 'node:fs'
import { readMaterial } from '#server/opinion/corpus.ts'
import { MODEL_FILE, TRAINING } from '#server/opinion/paths.ts'
import { encodeModel } from '#server/opinion/model.ts'
import { train } from '#server/opinion/training.ts'

const material = readMaterial(TRAINING)
const bytes = encodeModel(train(material))
writeFileSync(MODEL_FILE, bytes)
console.log(
  `${material.comments.length} comments, ${material.lexicon.size} lexicon entries: ${bytes.length} bytes`,
)
