/** Seven lessons and a course of six of them, for tests of reading and buying. */
import { once, test as base } from './fixtures.ts'
import { publishShelf, type Shelf } from './people.ts'

export const test = base.extend<{ shelf: Shelf }>({
  shelf: once(({ url }) =>
    publishShelf(url, 'Plait', {
      count: 7,
      lesson: (place) => ({
        description: 'Fifty-nine letters that make the head of its page a long one',
        opening: 'The first page of it. '.repeat(12).trim(),
        article: Array.from({ length: 30 }, (_, line) => `<p>Strand ${place} ${line}</p>`).join(''),
      }),
    }),
  ),
})
