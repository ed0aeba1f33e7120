/** The model that `npm run opinion:train` makes: beside `src`, and beside `dist` when the package is built. */
import { join } from 'node:path'

export const MODEL_FILE = join(import.meta.dirname, '..', 'model.bin')
