const BLOCK = 'blockquote, div, h1, h2, h3, h4, h5, h6, hr, li, ol, pre, ul'

/** Returns the text of a code block, with a line break for each br and each inner block. */
export function breakLines(block: Element): string {
  let text = ''
  const read = (node: Node) => {
    if (node instanceof Text) text += node.data
    if (!(node instanceof Element)) return
    if (node.localName === 'br') text += '\n'
    const isBlock = node !== block && node.matches('div, p, li, tr')
    if (isBlock && text !== '' && !text.endsWith('\n')) text += '\n'
    const before = text.length
    for (const child of node.childNodes) read(child)
    if (isBlock && (text.length === before || !text.endsWith('\n'))) text += '\n'
  }
  read(block)
  return text.replaceAll('\u00a0', ' ').trimEnd()
}

/**
 * Removes empty blocks, splits paragraphs at empty lines, and keeps code marks that come from a font only if the
 * article has other fonts too.
 */
export function tidyBlocks(article: Element): void {
  removeIdleBreaks(article)
  for (const block of [...article.querySelectorAll(BLOCK)].reverse())
    // An empty block still ends the line before it.
    if (block.textContent.trim() === '')
      block.replaceWith(article.ownerDocument.createElement('hr'))
  for (const end of article.querySelectorAll('br')) splitAt(end)
  removeIdleBreaks(article)
  for (const block of [article, ...article.querySelectorAll('div, li, blockquote')])
    wrapLines(block)
  keepDistinctCode(article)
}

/** Two line breaks in a row start a new paragraph. */
function splitAt(end: Element): void {
  const next = neighbour(end, 'nextSibling')
  const isRemoved = end.parentNode === null
  if (isRemoved || !(next instanceof Element) || next.localName !== 'br') return
  next.remove()
  if (end.closest('h1, h2, h3, h4, h5, h6') !== null) return
  end.replaceWith(end.ownerDocument.createElement('hr'))
}

/** Wraps text between blocks in a block. */
function wrapLines(block: Element): void {
  for (const empty of block.querySelectorAll(':scope > :is(ul, ol) > hr')) empty.remove()
  if (![...block.children].some((child) => child.matches(BLOCK))) return
  let line: Element | null = null
  for (const node of Array.from(block.childNodes)) {
    if (node instanceof Element && node.matches(BLOCK)) line = null
    else if (line !== null || node.textContent?.trim() !== '') {
      if (line === null) {
        line = block.ownerDocument.createElement('div')
        node.before(line)
      }
      line.append(node)
    }
  }
  for (const mark of block.querySelectorAll(':scope > hr')) mark.remove()
}

function removeIdleBreaks(article: Element): void {
  const ends = [...article.querySelectorAll('br')]
  for (const end of ends) if (isNextToBlock(end)) end.remove()
  // Backwards, so that none of several breaks at the end of a block remains.
  for (const end of ends.reverse()) if (isNextToBlock(end)) end.remove()
}

/** Browsers don't show a line break next to the border of a block. */
function isNextToBlock(end: Element): boolean {
  if (end.parentNode === null) return false
  return (['previousSibling', 'nextSibling'] as const).some((side) => {
    const next = neighbour(end, side)
    return next === null || (next instanceof Element && next.matches(BLOCK))
  })
}

function neighbour(from: Node, side: 'previousSibling' | 'nextSibling'): Node | null {
  let next = from[side]
  while (next instanceof Text && next.data.trim() === '') next = next[side]
  return next
}

/** Removes code marks that come from a monospaced font if the whole text has such a font. */
function keepDistinctCode(article: Element): void {
  const byFont = [...article.querySelectorAll('code.font')]
  const written = byFont.map((code) => code.textContent).join('')
  const isAll = lettersOf(written) === lettersOf(article.textContent)
  for (const code of byFont) {
    if (isAll) code.replaceWith(...code.childNodes)
    else code.removeAttribute('class')
  }
}

const lettersOf = (text: string) => text.replaceAll(/\s/g, '').length
