/** Reads an Atom feed after it was validated against the grammar of RFC 4287. */
import { readFileSync } from 'node:fs'
import { RelaxNGValidator, XmlDocument, type XmlNode } from 'libxml2-wasm'

export type ReadFeed = ReturnType<typeof readFeed>

const NAMESPACES = { a: 'http://www.w3.org/2005/Atom' }
const grammar = RelaxNGValidator.fromDoc(
  XmlDocument.fromString(readFileSync(new URL('atom.rng', import.meta.url), 'utf8')),
)

/**
 * Parses a feed.
 * @throws XmlParseError for invalid XML, XmlValidateError for invalid Atom, Error for a violation of a rule that
 * the RFC states only in prose
 */
export function readFeed(xml: string) {
  const document = XmlDocument.fromString(xml)
  try {
    grammar.validate(document)
    const { root } = document
    const feed = {
      id: textAt(root, 'a:id'),
      title: textAt(root, 'a:title'),
      updated: textAt(root, 'a:updated'),
      /** By their relation. */
      links: Object.fromEntries(
        root
          .find('a:link', NAMESPACES)
          .map((link) => [textAt(link, '@rel'), textAt(link, '@href')]),
      ),
      entries: root.find('a:entry', NAMESPACES).map(readEntry),
    }
    refuse(root.find('a:author', NAMESPACES).length === 0, 'no author')
    const ids = feed.entries.map(({ id }) => id)
    refuse(new Set(ids).size < ids.length, 'an entry twice')
    for (const { content } of root.find('//a:id | //a:uri | //@href', NAMESPACES))
      refuse(!URL.canParse(content), `no address: ${content}`)
    for (const { content } of root.find('//a:updated | //a:published', NAMESPACES))
      refuse(Number.isNaN(Date.parse(content)), `no time: ${content}`)
    return feed
  } finally {
    document.dispose()
  }
}

function readEntry(entry: XmlNode) {
  refuse(entry.find('a:link[@rel="alternate"]', NAMESPACES).length !== 1, 'not one page')
  refuse(entry.find('a:content[@type="xhtml"]/*', NAMESPACES).length !== 1, 'not one content')
  return {
    id: textAt(entry, 'a:id'),
    title: textAt(entry, 'a:title'),
    summary: textAt(entry, 'a:summary'),
    /** Plain text without elements. */
    content: textAt(entry, 'a:content'),
    published: textAt(entry, 'a:published'),
    updated: textAt(entry, 'a:updated'),
    author: textAt(entry, 'a:author/a:name'),
    language: textAt(entry, '@xml:lang'),
    categories: entry.find('a:category/@term', NAMESPACES).map(({ content }) => content),
    enclosure: textAt(entry, 'a:link[@rel="enclosure"]/@href'),
    enclosureType: textAt(entry, 'a:link[@rel="enclosure"]/@type'),
  }
}

/** Returns '' if the node is missing. */
const textAt = (node: XmlNode, path: string): string =>
  node.find(path, NAMESPACES).at(0)?.content ?? ''

function refuse(isWrong: boolean, why: string): void {
  if (isWrong) throw new Error(`The feed has ${why}.`)
}
