import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ARTICLE_LETTERS } from '#contract/limits.ts'
import { lengthOf } from '#contract/measure.ts'
import {
  articleText,
  cleanArticle,
  readingMinutes,
  showArticle,
  writeArticle,
} from '#server/items/lessons/article.ts'

/** Everything except text that a cleaned article may contain. */
const TAG = /<\/?(?:h[1-6]|p|blockquote|ul|ol|li|pre|code|strong|b|em|i|u)>|<br \/>/g

function expectClean(html: string): void {
  const cleaned = cleanArticle(html)
  expect(cleanArticle(cleaned)).toBe(cleaned)
  expect(cleaned.replaceAll(TAG, '')).not.toMatch(/[<>]/)
  expect(articleText(cleaned)).not.toMatch(/\s\s|^\s|\s$/)
}

const hostile = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<p onclick="alert(1)" style="color:red" class=x>',
  '<a href="javascript:alert(1)">x</a>',
  '<svg><script>alert(1)</script></svg>',
  '<math><mtext><table><mglyph><style><img src onerror=alert(1)>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<<p>script>alert(1)</p>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '<textarea><p></textarea><img src=x>',
  '<!--<p>--><b>',
  '<![CDATA[<p onload=x>]]>',
  '<?php echo 1 ?>',
  '</p></p><br/></br>',
  '<p><p><ul><p></ul>',
  '\0<p\0 onx=1>',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<xmp><p></xmp><title></title><template><b></template>',
]

test.each([
  ['49 characters', `<p>${'a'.repeat(49)}</p>`],
  ['1001 characters', `<p>${'я'.repeat(1001)}</p>`],
  ['white space and tags', `<p>${'a'.repeat(48)}&nbsp;&nbsp; \n</p><p> </p>`],
  ['a script', `<script>${'a'.repeat(60)}</script>`],
])('an article of %s is refused', (_, html) => {
  expect(() => writeArticle(html)).toThrowError('400 articleValMs')
})

describe('markup that is no article', () => {
  const refusal = '400 articleTooBig'
  test('is refused by its bytes before it is cleaned', () => {
    const html = `<p>${'я'.repeat(60)}</p>${'<!-- я -->'.repeat(1900)}`
    expect(() => writeArticle(html)).toThrowError(refusal)
  })
  test('is refused when it is nested deeper than any text', () => {
    const text = 'some words that make an article of more than fifty characters'
    for (const tag of ['<b>', '<x>', '<svg>', '<ul><li>'])
      expect(() => writeArticle(tag.repeat(400) + text)).toThrowError(refusal)
    expect(writeArticle(`${'<b>'.repeat(100)}${text}`).text).toBe(text)
  })
  test('is shown as its source when it is kept all the same', () => {
    const kept = `${'<b>'.repeat(300)}<script>alert(1)</script>`
    expect(showArticle(kept)).not.toContain('<')
    expectClean(kept)
  })

  /** In ms; the minimum of three runs, because other load only adds to it. */
  function cpuOf(act: () => unknown): number {
    const once = () => {
      const begun = process.cpuUsage()
      act()
      const { user, system } = process.cpuUsage(begun)
      return (user + system) / 1000
    }
    return Math.min(once(), once(), once())
  }

  const pieces =
    '<<p> < & <b> <svg> <x> <p> <ul><li> <b><p> <i><</i> <noscript></b> <x></y> <iframe> <!-- </p> <svg><title> ﷺ'
  test.each(pieces.split(' '))('is cleaned in a time that grows with its length: %s', (piece) => {
    const of = (length: number) => piece.repeat(Math.ceil(length / piece.length))
    cleanArticle(of(10_000))
    const once = cpuOf(() => cleanArticle(of(20_000)))
    const eightTimes = cpuOf(() => cleanArticle(of(160_000)))
    // Quadratic time would grow by a factor of 64.
    expect(eightTimes).toBeLessThan(24 * Math.max(once, 3))
  })
})

describe('an article without words', () => {
  const refusal = '400 articleLettersMs'
  /** Characters that fold to no letter or digit, although some of them count as one before. */
  const invisible = ['\u200b', '\u200d', '\u2060', '\u00ad', '\u3164', '\uffa0', '\u115f', '\ufe0f']
  const signs = [...'!?.,-_|…«»☀🙂', '\u01c3', '\u2800', '\u0301', '\u{e0061}']
  const wordless = fc.string({
    unit: fc.constantFrom(...invisible, ...signs),
    minLength: 50,
    maxLength: 200,
  })
  test('is refused whatever signs it is made of', () => {
    fc.assert(
      fc.property(wordless, (text) => {
        expect(() => writeArticle(`<p>x${text}y</p>`)).toThrowError(refusal)
      }),
    )
  })
  test('is refused with 19 letters among any signs, and taken with 20', () => {
    const letter = fc.constantFrom('a', 'ж', 'ß', '7', 'あ', '𝒜', '٣', 'ё')
    const of = (length: number) => fc.array(letter, { minLength: length, maxLength: length })
    fc.assert(
      fc.property(of(ARTICLE_LETTERS), wordless, ([first = '', ...rest], signs) => {
        const tooFew = `<p>${rest.join('-')}${signs}</p>`
        expect(() => writeArticle(tooFew)).toThrowError(refusal)
        expect(writeArticle(`<p>${first}</p>${tooFew}`).text).toContain(first)
      }),
    )
  })
})

test('both limits of the length are valid', () => {
  expect(writeArticle(`<p>${'a'.repeat(50)}</p>`).text).toHaveLength(50)
  expect(lengthOf(writeArticle(`<p>${'𐐷'.repeat(1000)}</p>`).text)).toBe(1000)
})

test('blocks separate words, styles do not', () => {
  const cleaned = cleanArticle(
    '<h1>One</h1><p>t<b>w</b>o<br>three</p><ul><li>four</li><li>five &lt;6&gt; &amp;amp;</li></ul>',
  )
  expect(articleText(cleaned)).toBe('One two three four five <6> &amp;')
})

test('all blocks and styles of the editor stay', () => {
  const html =
    '<h1>a</h1><h6>b</h6><blockquote>c</blockquote><ul><li>d</li></ul><ol><li>e</li></ol><pre><code>f</code></pre><p><strong>g</strong><b>h</b><em>i</em><i>j</i><u>k</u><br /></p>'
  expect(cleanArticle(html)).toBe(html)
})

test('attributes, links and pictures go, their text stays', () => {
  expect(
    cleanArticle('<p style="x" onclick="y"><a href="https://a.example">text</a><img src="z"></p>'),
  ).toBe('<p>text</p>')
})

test('a stored article is cleaned again when shown', () => {
  for (const html of hostile) expect(showArticle(html)).toBe(cleanArticle(html))
  const many = Array.from({ length: 600 }, (_, n) => `<p>${n}</p><script>x</script>`)
  for (const html of [...many, ...many]) expect(showArticle(html)).not.toContain('script')
})

test('hostile markup leaves only allowed tags', () => {
  for (const html of hostile) expectClean(html)
})

test('cleaning any mixture twice changes nothing', () => {
  const markup = '<p> </p> <pre> <li> <ul> </ul> <h1> <u> </u> <br> < > & &amp;lt; "'
  const piece = fc.oneof(
    fc.constantFrom(...hostile),
    fc.constantFrom(' ', ...markup.split(' ')),
    fc.string({ unit: 'binary' }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => expectClean(pieces.join(''))),
    { numRuns: 500 },
  )
})

test('reading takes a minute for each 200 words, at least one', () => {
  expect(readingMinutes('')).toBe(1)
  expect(readingMinutes('w '.repeat(299).trim())).toBe(1)
  expect(readingMinutes('w '.repeat(300).trim())).toBe(2)
})
