/** XML out of elements: what a text holds stays text, whatever signs it has. */

/** An element. Attributes that are undefined are left out. */
export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string | undefined>>
  readonly children: readonly (Element | string)[]
}

/** Signs that XML 1.0 has no way to write; halves of surrogate pairs are among them. */
const UNWRITABLE = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu
/** What a reader would take for markup, or would turn into another white space. */
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

/** An element with its attributes, then what is in it. */
export function element(
  name: string,
  attributes: Element['attributes'] = {},
  ...children: Element['children']
): Element {
  return { name, attributes, children }
}

/** The document whose root it is. Names are ours and are written as they are. */
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

/** What can't be written stands as the sign for a lost one. */
const escape = (text: string): string =>
  text.replaceAll(UNWRITABLE, '\uFFFD').replaceAll(SPECIAL, (sign) => ENTITIES[sign] ?? sign)
