/** Reads the training comments and the lexicon from training/. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LABELS, type Spoken } from '../src/labels.ts'
import { foldLetters } from '../src/letters.ts'
import { split } from '../src/split.ts'
import { KNOWN } from '../src/vocabulary.ts'

export interface Comment {
  readonly label: Spoken | 'UNKNOWN'
  readonly kind: string
  readonly text: string
  /** The language of its file. */
  readonly language: 'en' | 'bg'
}

/** Reads a file with a line `LABEL<TAB>kind<TAB>text` per comment. */
function readComments(path: string, language: 'en' | 'bg'): Comment[] {
  const comments: Comment[] = []
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const [label = '', kind = '', text = ''] = line.split('\t')
    if (text === '') continue
    const known = LABELS.find((name) => name === label)
    if (known === undefined && label !== 'UNKNOWN') throw new Error(`${path}: no label ${label}`)
    comments.push({ label: known ?? 'UNKNOWN', kind, text, language })
  }
  return comments
}

/**
 * Reads all comments from files whose names start with `en` or `bg`. Lexicons and other languages are in separate
 * files.
 */
export function readFolder(folder: string): Comment[] {
  return readdirSync(folder)
    .toSorted()
    .filter((name) => /^(?:en|bg).*\.tsv$/u.test(name) && !name.includes('lexicon'))
    .flatMap((name) => readComments(join(folder, name), name.startsWith('en') ? 'en' : 'bg'))
}

const PLAIN = { en: /^[a-z]+$/u, bg: /^\p{Script=Cyrillic}+$/u } as const

const SENSE: Readonly<Record<string, number>> = {
  pos: KNOWN.good,
  neg: KNOWN.bad,
  insult: KNOWN.insult,
  threat: KNOWN.threat,
  spam: KNOWN.spam,
  negation: KNOWN.denial,
  booster: KNOWN.more,
}

/** Reads the lexicon: `word or phrase<TAB>sense` per line. */
function readLexicon(folder: string): Map<string, number> {
  const entries = new Map<string, number>()
  for (const name of readdirSync(folder)
    .toSorted()
    .filter((file) => file.includes('lexicon'))) {
    const language = name.startsWith('en') ? KNOWN.english : KNOWN.bulgarian
    for (const line of readFileSync(join(folder, name), 'utf8').split('\n')) {
      const [phrase = '', sense = ''] = line.split('\t')
      if (phrase === '') continue
      const bits = SENSE[sense.trim()]
      if (bits === undefined) throw new Error(`${name}: no sense ${sense}`)
      const pieces = split(phrase)
      if (pieces.length === 0 || pieces.some(({ kind }) => kind !== 'word')) continue
      const form = pieces.map(({ read }) => foldLetters(read)).join(' ')
      if (!PLAIN.en.test(form.replaceAll(' ', '')) && !PLAIN.bg.test(form.replaceAll(' ', '')))
        continue
      const script = PLAIN.en.test(form.replaceAll(' ', '')) ? KNOWN.english : language
      entries.set(form, (entries.get(form) ?? 0) | bits | script)
    }
  }
  return entries
}

/** Combines the lexicon with all words of the comments that are not disguised. */
export function gatherVocabulary(
  comments: readonly Comment[],
  lexicon: ReadonlyMap<string, number>,
): Map<string, number> {
  const entries = new Map(lexicon)
  for (const { label, kind, text, language } of comments) {
    if (label === 'UNKNOWN' || kind === 'obfuscated' || kind === 'latin') continue
    for (const piece of split(text)) {
      if (piece.kind !== 'word' || piece.read !== piece.raw) continue
      const form = foldLetters(piece.read)
      if (PLAIN.en.test(form) && (language === 'en' || kind !== 'mixed'))
        entries.set(form, (entries.get(form) ?? 0) | KNOWN.english)
      if (PLAIN.bg.test(form)) entries.set(form, (entries.get(form) ?? 0) | KNOWN.bulgarian)
    }
  }
  return entries
}

export interface Material {
  readonly comments: readonly Comment[]
  readonly lexicon: ReadonlyMap<string, number>
  /** Sentences in unsupported languages. */
  readonly others: readonly string[]
  /** SHA-256 of all files, which identifies the sources of a model. */
  readonly source: string
}

export function readMaterial(folder: string): Material {
  const hash = createHash('sha256')
  for (const name of readdirSync(folder).toSorted())
    hash.update(name).update(readFileSync(join(folder, name)))
  const others = readFileSync(join(folder, 'other-languages.tsv'), 'utf8').split('\n')
  return {
    comments: readFolder(folder),
    lexicon: readLexicon(folder),
    others: others.flatMap((line) => line.split('\t').slice(1)),
    source: hash.digest('hex'),
  }
}
