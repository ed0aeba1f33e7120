/**
 * Writes elements as HTML, character for character as `renderToString` of React does, which must be able to wait, to
 * fail in parts and to number its boundaries, and takes several times as long for a small part of a page. It knows what
 * cards and comments are made of: function components without hooks, elements of HTML and SVG, fragments, texts.
 */
import { Fragment, isValidElement, type ReactNode } from 'react'

/** Writes one piece of a page after the other. */
export interface Writer {
  /** @throws Error for what this module does not write as React would: a hook, a class, a form's field */
  readonly write: (piece: ReactNode) => string
  /** Elements that send the browser for pictures at once, each but once; they belong in front of the page. */
  readonly hints: ReadonlySet<string>
}

type Props = Readonly<Record<string, unknown>>

const MEMO = Symbol.for('react.memo')
const VOID = new Set(['br', 'hr', 'img', 'source', 'wbr'])
/** Their content or attributes follow rules of their own, which no piece needs. */
const REFUSED_TAG =
  /^(?:base|body|form|head|html|input|link|math|menuitem|meta|noscript|object|option|pre|listing|script|select|style|template|textarea|title)$|-/
const REFUSED_NAME =
  /^(?:action|autoFocus|autoReverse|capture|checked|cols|contentEditable|dangerouslySetInnerHTML|default.*|download|draggable|focusable|formAction|inner.*|is|multiple|muted|preserveAlpha|rows|rowSpan|selected|size|span|spellCheck|start|style|suppress.*|value|x(?:link|ml).*)$/
const BOOLEAN = new Set(['disabled', 'hidden', 'inert', 'open'])
/** Names that HTML writes in another way; all others with a capital within are written as they are. */
const RENAMED: Readonly<Record<string, string>> = {
  className: 'class',
  htmlFor: 'for',
  tabIndex: 'tabindex',
}
/** Elements that were looked at. */
const starts = new Map<string, string>()
/** Names that were looked at: what HTML calls them, null for what is not written. */
const names = new Map<string, string | null>()

/** A writer for one page. @param written hints that the page has already */
export function createWriter(written: readonly string[] = []): Writer {
  const hints = new Set(written)
  return {
    hints,
    write: (piece) => {
      const page = { html: '', hints, endsInText: false, isInPicture: false }
      write(piece, page)
      return page.html
    },
  }
}

interface Page {
  html: string
  readonly hints: Set<string>
  /** React parts two texts that follow each other by a comment, or the browser would join them. */
  endsInText: boolean
  isInPicture: boolean
}

function write(node: ReactNode, page: Page): void {
  if (typeof node === 'string' || typeof node === 'number') writeText(String(node), page)
  else if (Array.isArray(node)) for (const child of node as readonly ReactNode[]) write(child, page)
  else if (isValidElement<Props>(node)) writeElement(node.type, node.props, page)
  else if (node !== null && node !== undefined && typeof node !== 'boolean')
    throw new Error(`a piece can't hold a ${typeof node}`)
}

function writeText(text: string, page: Page): void {
  if (text === '') return
  page.html += page.endsInText ? `<!-- -->${escapeHtml(text)}` : escapeHtml(text)
  page.endsInText = true
}

function writeElement(type: unknown, props: Props, page: Page): void {
  if (typeof type === 'string') writeTag(type, props, page)
  else if (type === Fragment) write(props['children'] as ReactNode, page)
  else if (isComponent(type)) write(type(props), page)
  else if (isMemo(type)) writeElement(type.type, props, page)
  else throw new Error('a piece is made of function components and elements')
}

/** A class is called as well, and throws for it. */
const isComponent = (type: unknown): type is (props: Props) => ReactNode =>
  typeof type === 'function'

const isMemo = (type: unknown): type is { readonly type: unknown } =>
  typeof type === 'object' && type !== null && '$$typeof' in type && type.$$typeof === MEMO

function writeTag(tag: string, props: Props, page: Page): void {
  let start = startOf(tag)
  for (const name in props) if (name !== 'children') start += attribute(tag, name, props[name])
  page.endsInText = false
  if (tag === 'img' && !page.isInPicture) hint(props, page)
  if (VOID.has(tag)) {
    page.html += `${start}/>`
    return
  }
  page.html += `${start}>`
  const wasInPicture = page.isInPicture
  page.isInPicture ||= tag === 'picture'
  write(props['children'] as ReactNode, page)
  page.isInPicture = wasInPicture
  page.html += `</${tag}>`
  page.endsInText = false
}

function startOf(tag: string): string {
  const known = starts.get(tag)
  if (known !== undefined) return known
  if (REFUSED_TAG.test(tag)) throw new Error(`a piece can't hold <${tag}>`)
  const start = `<${tag}`
  starts.set(tag, start)
  return start
}

function attribute(tag: string, given: string, value: unknown): string {
  if (value === null || value === undefined) return ''
  const name = nameOf(given)
  if (name === null) return ''
  switch (typeof value) {
    case 'string':
      if (given === 'src' || given === 'href') return address(tag, given, value)
      return BOOLEAN.has(given) && value === ''
        ? ''
        : ` ${name}="${BOOLEAN.has(given) ? '' : escapeHtml(value)}"`
    case 'number':
      return ` ${name}="${String(value)}"`
    case 'boolean':
      if (BOOLEAN.has(given)) return value ? ` ${name}=""` : ''
      return /^(?:data|aria)-/.test(name) ? ` ${name}="${String(value)}"` : ''
    default:
      throw new Error(`a piece can't hold ${given} of this kind`)
  }
}

const SCHEME = /^[^/?#:]*:/
/** What React writes in place of a script. */
const BLOCKED =
  "javascript:throw new Error('React has blocked a javascript: URL as a security precaution.')"

function address(tag: string, name: string, value: string): string {
  if (value === '' && tag !== 'a') return ''
  return ` ${name}="${escapeHtml(isScript(value) ? BLOCKED : value)}"`
}

/** Whatever stands between the letters: browsers overlook some of it. */
function isScript(address: string): boolean {
  const [scheme = ''] = SCHEME.exec(address) ?? []
  return scheme.replaceAll(/[^a-z]/gi, '').toLowerCase() === 'javascript'
}

/** Null for what only matters where something can happen. */
function nameOf(given: string): string | null {
  const known = names.get(given)
  if (known !== undefined) return known
  if (REFUSED_NAME.test(given)) throw new Error(`a piece can't hold the attribute ${given}`)
  const name = /^on|^(?:key|ref)$/i.test(given) ? null : (RENAMED[given] ?? given)
  names.set(given, name)
  return name
}

/** As React: a picture that is not lazy is sent for before the browser finds it, unless a <picture> chooses it. */
function hint(props: Props, page: Page): void {
  const { src, srcSet, sizes, fetchPriority, loading } = props
  const found = srcSet ?? src
  if (loading === 'lazy' || fetchPriority === 'low') return
  if (typeof found !== 'string' || found === '' || found.startsWith('data:')) return
  const parts = [
    srcSet === undefined ? attribute('link', 'href', src) : '',
    attribute('link', 'imageSrcSet', srcSet),
    attribute('link', 'imageSizes', sizes),
    attribute('link', 'fetchPriority', fetchPriority),
  ]
  page.hints.add(`<link rel="preload" as="image"${parts.join('')}/>`)
}

const ENTITIES: Readonly<Record<string, string>> = {
  '"': '&quot;',
  '&': '&amp;',
  "'": '&#x27;',
  '<': '&lt;',
  '>': '&gt;',
}
const SPECIAL = /["&'<>]/
const ALL_SPECIAL = /["&'<>]/g

/** Most texts hold nothing to escape. */
const escapeHtml = (text: string): string =>
  SPECIAL.test(text) ? text.replaceAll(ALL_SPECIAL, (sign) => ENTITIES[sign] ?? sign) : text
