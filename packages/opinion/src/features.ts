/** Extracts the model's features from a text. Each feature refers to the pieces that it came from. */
import { classesOf } from './classes.ts'
import type { Reading } from './reading.ts'
import { KNOWN, type Vocabulary } from './vocabulary.ts'

/** A feature's hash, its strength, and the indices of its pieces. */
export interface Feature {
  readonly hash: number
  readonly value: number
  readonly from: readonly number[]
}

/** FNV-1a, 32 bits. */
export function hashOf(name: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < name.length; index += 1) {
    hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0
}

/** Weights of the feature groups. A group has the same total weight in long and short texts. */
const GROUPS = { word: 1, pair: 1, letters: 0.9, classes: 1.6, signs: 1.2 } as const
type Group = keyof typeof GROUPS

type Found = Record<Group, Map<string, Set<number>>>

const add = (group: Map<string, Set<number>>, name: string, from: readonly number[]) => {
  const known = group.get(name)
  if (known === undefined) group.set(name, new Set(from))
  else for (const index of from) known.add(index)
}

const EMOJI_CLASS: readonly (readonly [RegExp, string])[] = [
  [
    /[👍👏🙌💯🔥❤🧡💛💚💙💜🖤🤍🤎♥😍🥰😘😊😀😁😃😄😎🤩🥳🎉🎊✨⭐🌟💪🙏👌🏆🥇😇🤗☺🙂💖💕💗💓💐🌹🌸🍀✅👑🚀🤝🫶💎😋]/u,
    'P',
  ],
  [/[👎😞😔😟😕🙁☹😣😖😫😩😢😭😤😠😡🤬😒🙄😑😴💤🤮🤢🥱😬💔❌🚫📉🤦😪😓👀]/u, 'G'],
  [/[🖕🤡🐷🐖🐒💩🔪🔫🪓☠]/u, 'X'],
]

const OPPOSITE: Readonly<Record<string, string>> = { P: 'p', G: 'g', X: 'x' }
/** Number of words after a negation that it affects. */
const REACH = 4

interface Step {
  readonly sign: string
  readonly at: number
}

function signOf(bits: number): string {
  if ((bits & KNOWN.threat) !== 0) return 'K'
  if ((bits & KNOWN.spam) !== 0) return 'A'
  if ((bits & KNOWN.insult) !== 0) return 'X'
  if ((bits & KNOWN.bad) !== 0) return 'G'
  return (bits & KNOWN.good) !== 0 ? 'P' : ''
}

/** Returns the classes of a comment in order. A negated opinion is a lower-case letter. */
function stepsOf(reading: Reading, vocabulary: Vocabulary): Step[] {
  const steps: Step[] = []
  const wordAt = new Map(reading.words.map((word, index) => [word.piece.start, index]))
  const forms = reading.words.map(({ form }) => form)
  let denied = -1
  let inPhrase = -1
  for (const [at, piece] of reading.pieces.entries()) {
    const index = wordAt.get(piece.start)
    if (index !== undefined) {
      const form = forms[index] ?? ''
      const phrase = vocabulary.phraseAt(forms, index)
      const bits =
        phrase.words > 0 ? phrase.bits : index <= inPhrase ? 0 : vocabulary.opinionOf(form)
      if (phrase.words > 0) inPhrase = index + phrase.words - 1
      const opinion = signOf(bits)
      const classes = new Set(classesOf(form))
      if (((vocabulary.of(form) | phrase.bits) & KNOWN.denial) !== 0) classes.add('N')
      if (((vocabulary.of(form) | phrase.bits) & KNOWN.more) !== 0) classes.add('I')
      for (const sign of classes) steps.push({ sign, at })
      if (opinion !== '') {
        const turned =
          denied >= 0 && index - denied <= REACH ? (OPPOSITE[opinion] ?? opinion) : opinion
        steps.push({ sign: turned, at })
      }
      if (classes.has('N')) denied = index
      if (classes.has('B')) denied = -1
    } else if (piece.kind === 'emoji') {
      const sign = EMOJI_CLASS.find(([emoji]) => emoji.test(piece.raw))?.[1]
      if (sign !== undefined) steps.push({ sign: `e${sign}`, at })
    } else if (piece.kind === 'sign') {
      if (/[.!?…;]/u.test(piece.raw)) denied = -1
      const sign = /\?/u.test(piece.raw)
        ? '?'
        : piece.raw === '!'
          ? '!'
          : piece.raw.startsWith('!!')
            ? '!!'
            : /^(?:\.\.|…)/u.test(piece.raw)
              ? '…'
              : undefined
      if (sign !== undefined) steps.push({ sign, at })
    } else steps.push({ sign: piece.kind === 'link' ? 'L' : piece.kind === 'code' ? 'C' : '#', at })
  }
  return steps
}

const WINDOW = 4

function addClasses(found: Found, steps: readonly Step[]): void {
  const opinions = steps.filter(({ sign }) => /^(?:e?[PGXKApgx])$/u.test(sign))
  for (const { sign, at } of steps) add(found.classes, `1${sign}`, [at])
  for (const [index, one] of steps.entries()) {
    for (let next = index + 1; next <= Math.min(index + WINDOW, steps.length - 1); next += 1) {
      const other = steps[next]
      if (other === undefined || other.at === one.at) continue
      add(found.classes, `2${one.sign} ${other.sign}`, [one.at, other.at])
      const third = steps[next + 1]
      if (third !== undefined && next === index + 1)
        add(found.classes, `3${one.sign} ${other.sign} ${third.sign}`, [one.at, other.at, third.at])
    }
  }
  const first = opinions[0]
  const last = opinions.at(-1)
  if (first && last) {
    add(found.classes, `first ${first.sign}`, [first.at])
    add(found.classes, `last ${last.sign}`, [last.at])
    add(found.classes, `both ${first.sign} ${last.sign}`, [first.at, last.at])
  } else add(found.classes, 'no opinion', [])
  const kinds = [...new Set(opinions.map(({ sign }) => sign.replace('e', '')))].toSorted().join('')
  add(
    found.classes,
    `kinds ${kinds}`,
    opinions.map(({ at }) => at),
  )
}

function addWords(found: Found, reading: Reading): void {
  const at = new Map(reading.pieces.map((piece, index) => [piece.start, index]))
  let before: { form: string; index: number } | undefined
  let earlier: { form: string; index: number } | undefined
  for (const { form, piece, disguised } of reading.words) {
    const index = at.get(piece.start) ?? 0
    add(found.word, form, [index])
    if (disguised) add(found.signs, 'disguised', [index])
    if (before !== undefined) add(found.pair, `${before.form} ${form}`, [before.index, index])
    else add(found.pair, `^ ${form}`, [index])
    if (earlier !== undefined) add(found.pair, `${earlier.form} * ${form}`, [earlier.index, index])
    earlier = before
    before = { form, index }
    const edged = `<${form.slice(0, 24)}>`
    for (let size = 3; size <= 6; size += 1) {
      for (let start = 0; start + size <= edged.length; start += 1)
        add(found.letters, edged.slice(start, start + size), [index])
    }
  }
}

function addSigns(found: Found, reading: Reading): void {
  let shouted = 0
  let last = ''
  for (const [index, piece] of reading.pieces.entries()) {
    if (piece.kind === 'word' && piece.raw.length > 2 && piece.raw === piece.raw.toUpperCase())
      shouted += 1
    if (piece.kind === 'emoji') add(found.signs, `e${piece.read}`, [index])
    if (piece.kind === 'sign') add(found.signs, `s${piece.raw.slice(0, 3)}`, [index])
    if (piece.kind === 'code' || piece.kind === 'link' || piece.kind === 'number')
      add(found.signs, piece.kind, [index])
    last = piece.kind === 'sign' ? piece.raw.slice(0, 1) : piece.kind
  }
  add(found.signs, `ends ${last}`, [])
  if (shouted > 1) add(found.signs, shouted > 3 ? 'shouted' : 'loud', [])
  const count = reading.words.length
  add(
    found.signs,
    `length ${count < 3 ? 2 : count < 6 ? 5 : count < 12 ? 11 : count < 20 ? 19 : 20}`,
    [],
  )
}

/** Returns the features of a text. Each group is normalised to the same length. */
export function featuresOf(reading: Reading, vocabulary: Vocabulary): Feature[] {
  const found: Found = {
    word: new Map(),
    pair: new Map(),
    letters: new Map(),
    classes: new Map(),
    signs: new Map(),
  }
  addWords(found, reading)
  addClasses(found, stepsOf(reading, vocabulary))
  addSigns(found, reading)
  const features: Feature[] = []
  for (const [group, weight] of Object.entries(GROUPS) as [Group, number][]) {
    const names = found[group]
    const value = weight / Math.sqrt(Math.max(1, names.size))
    for (const [name, from] of names)
      features.push({ hash: hashOf(`${group}:${name}`), value, from: [...from] })
  }
  return features
}
