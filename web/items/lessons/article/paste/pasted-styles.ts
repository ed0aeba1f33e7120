/**
 * Reads the formatting of pasted HTML from style attributes and style sheets. The Content Security Policy blocks
 * both, so a script passes their text to the browser's CSS parser.
 */
import { SHEETS, STYLE } from '#web/items/lessons/article/paste/parse-inert.ts'

/** A property is absent if the style doesn't set it. */
export interface TextStyle {
  bold?: boolean
  italic?: boolean
  underline?: boolean
  monospaced?: boolean
  /** White space is significant. */
  preformatted?: boolean
  hidden?: boolean
  block?: boolean
}

const MONOSPACED = /mono(?!type)|courier|consolas|menlo|monaco|-moz-fixed/i
/** The lowest font weight that counts as bold. */
const BOLD = 600

export function createStyleReader(pasted: Document): (element: Element) => TextStyle {
  const rules = [...pasted.querySelectorAll(SHEETS)]
    .flatMap((sheet) => parseSheet(sheet.textContent))
    .map(({ selectorText, style }) => ({ selectorText, style: textStyleOf(style) }))
    .filter(({ style }) => Object.keys(style).length > 0)
  const probe = document.createElement('span').style
  return (element) => {
    const fromRules = rules
      .filter(({ selectorText }) => element.matches(selectorText))
      .map(({ style }) => style)
    const inlineStyle = element.getAttribute(STYLE)
    if (inlineStyle === null) return Object.assign({}, ...fromRules) as TextStyle
    probe.cssText = inlineStyle
    return Object.assign(
      {},
      ...fromRules,
      textStyleOf(probe),
      officeStyle(element, 'mso-hide') === 'all' && { hidden: true },
    ) as TextStyle
  }
}

/** Reads a Microsoft Office property from a style attribute, because CSS parsers drop it. Null if absent. */
export function officeStyle(element: Element, property: string): string | null {
  const declarations = (element.getAttribute(STYLE) ?? '').split(';')
  for (const declaration of declarations) {
    const colon = declaration.indexOf(':')
    if (colon !== -1 && declaration.slice(0, colon).trim().toLowerCase() === property)
      return declaration
        .slice(colon + 1)
        .trim()
        .toLowerCase()
  }
  return null
}

function parseSheet(text: string): CSSStyleRule[] {
  const sheet = new CSSStyleSheet()
  // Office and mail clients wrap their rules in an HTML comment.
  sheet.replaceSync(text.replaceAll(/<!--|-->/g, ''))
  return [...sheet.cssRules].filter((rule) => rule instanceof CSSStyleRule)
}

function textStyleOf(style: CSSStyleDeclaration): TextStyle {
  const { fontWeight, fontStyle, textDecorationLine, fontFamily, whiteSpace, display } = style
  const found: TextStyle = {}
  if (/^(?:bold|bolder|normal|lighter|initial|\d+)$/.test(fontWeight))
    found.bold = fontWeight.startsWith('bold') || Number(fontWeight) >= BOLD
  if (/^(?:italic|oblique|normal|initial)/.test(fontStyle))
    found.italic = /^(?:italic|oblique)/.test(fontStyle)
  if (/^(?:none|initial)$|underline/.test(textDecorationLine))
    found.underline = textDecorationLine.includes('underline')
  if (fontFamily !== '' && fontFamily !== 'inherit')
    found.monospaced = MONOSPACED.test(fontFamily.split(',')[0] ?? '')
  if (whiteSpace !== '' && whiteSpace !== 'inherit')
    found.preformatted = /^(?:pre|break-spaces)/.test(whiteSpace)
  if (display === 'none') found.hidden = true
  if (display === 'block') found.block = true
  return found
}
