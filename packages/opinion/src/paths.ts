/** The model that `npm run opinion:train` writes. It is next to `src`, and next to `dist` in the built package. */
import { join } from 'node:path'

export const MODEL_FILE = join(import.meta.dirname, '..', 'model.bin')
