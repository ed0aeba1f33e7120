/** Where the model lies that `npm run opinion:train` makes. */
import { join } from 'node:path'

export const MODEL_FILE = join(import.meta.dirname, 'model.bin')
