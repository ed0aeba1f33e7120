/** Words that the model knows, with their language and their sense in the lexicon. */
import { soundOf } from './letters.ts'

/** Bit flags of a known word. */
export const KNOWN = {
  english: 1,
  bulgarian: 2,
  good: 4,
  bad: 8,
  insult: 16,
  threat: 32,
  spam: 64,
  denial: 128,
  more: 256,
} as const

const OPINION = KNOWN.good | KNOWN.bad | KNOWN.insult | KNOWN.threat | KNOWN.spam

export interface Vocabulary {
  readonly entries: ReadonlyMap<string, number>
  /** Returns the bits of a word in normalised spelling, or 0 if it is unknown. */
  of(word: string): number
  /** Returns the opinion bits of a word. For long words, also tries other endings. */
  opinionOf(word: string): number
  /**
   * Returns the bits and number of words of the longest known phrase that starts at a word. 0 words if there is
   * none.
   */
  phraseAt(
    forms: readonly string[],
    index: number,
  ): { readonly bits: number; readonly words: number }
  /** Returns the known Bulgarian word that sounds like this one, in Cyrillic. */
  bySound(word: string): string | undefined
  /** Returns the rude word behind stars: `st*pid`, `id**t`. */
  unmask(word: string): string | undefined
}

const ENDING = 2
const SHORTEST_STEM = 5
const LONGEST_PHRASE = 6
const NO_PHRASE = { bits: 0, words: 0 } as const

function fits(word: string, mask: string): boolean {
  if (word.length !== mask.length || word.charAt(0) !== mask.charAt(0)) return false
  for (let index = 1; index < mask.length; index += 1) {
    if (mask.charAt(index) !== '*' && mask.charAt(index) !== word.charAt(index)) return false
  }
  return true
}

/**
 * Indexes words and phrases by spelling, stem, sound and first word. If two words sound alike, the one with the
 * stronger opinion wins.
 */
export function createVocabulary(entries: ReadonlyMap<string, number>): Vocabulary {
  const sounds = new Map<string, string>()
  const stems = new Map<string, number>()
  const rude: string[] = []
  const openings = new Set<string>()
  for (const [word, bits] of entries) {
    if (word.includes(' ')) {
      openings.add(word.slice(0, word.indexOf(' ')))
      continue
    }
    if ((bits & KNOWN.bulgarian) !== 0) {
      const sound = soundOf(word)
      const taken = sounds.get(sound)
      if (taken === undefined || ((entries.get(taken) ?? 0) & OPINION) < (bits & OPINION))
        sounds.set(sound, word)
    }
    if ((bits & OPINION) === 0) continue
    if ((bits & KNOWN.insult) !== 0) rude.push(word)
    const stem = word.slice(0, -ENDING)
    if (stem.length >= SHORTEST_STEM) stems.set(stem, (stems.get(stem) ?? 0) | (bits & OPINION))
  }
  return {
    entries,
    of: (word) => entries.get(word) ?? 0,
    opinionOf(word) {
      const exact = entries.get(word)
      if (exact !== undefined && (exact & OPINION) !== 0) return exact & OPINION
      for (let cut = 0; cut <= ENDING + 1; cut += 1) {
        const stem = word.slice(0, word.length - cut)
        if (stem.length < SHORTEST_STEM) break
        const bits = stems.get(stem)
        if (bits !== undefined) return bits
      }
      return 0
    },
    phraseAt(forms, index) {
      const first = forms[index]
      if (first === undefined || !openings.has(first)) return NO_PHRASE
      for (let words = LONGEST_PHRASE; words > 1; words -= 1) {
        const bits = entries.get(forms.slice(index, index + words).join(' '))
        if (bits !== undefined && index + words <= forms.length) return { bits, words }
      }
      return NO_PHRASE
    },
    bySound: (word) => sounds.get(soundOf(word)),
    unmask: (word) => rude.find((known) => fits(known, word)),
  }
}
