/** Writes XML from elements and escapes all texts. */

/** Attributes that are undefined are left out. */
export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string | undefined>>
  readonly children: readonly (Element | string)[]
}

/** Characters that XML 1.0 can't represent, including lone surrogates. */
const UNWRITABLE = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu
/** Characters that a reader would take for markup or normalize to other white space. */
const SPECIAL = /[&<>"\t\n\r]/g
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

export function element(
  name: string,
  attributes: Element['attributes'] = {},
  ...children: Element['children']
): Element {
  return { name, attributes, children }
}

/** Names are ours and are written unescaped. */
export function writeXml(root: Element): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${write(root)}\n`
}

function write(node: Element | string): string {
  if (typeof node === 'string') return escape(node)
  const { name, children } = node
  const attributes = Object.entries(node.attributes)
    .map(([key, value]) => (value === undefined ? '' : ` ${key}="${escape(value)}"`))
    .join('')
  if (children.length === 0) return `<${name}${attributes}/>`
  return `<${name}${attributes}>${children.map(write).join('')}</${name}>`
}

/** Replaces characters that can't be represented with U+FFFD. */
const escape = (text: string): string =>
  text.replaceAll(UNWRITABLE, '\uFFFD').replaceAll(SPECIAL, (sign) => ENTITIES[sign] ?? sign)
