/** What no line of a log may hold: mailboxes, tokens, cookies, passwords, and words that somebody wrote. */
import { TOKEN_PREFIX } from '#contract/access-tokens.ts'

const SECRETS: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['the address of a mailbox', /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/],
  ['a signed token', /\beyJ[\w-]{8,}\.[\w-]+/],
  ['an access token', new RegExp(`\\b${TOKEN_PREFIX}[\\w-]{8,}`)],
  ['a header of authorization', /\bBearer [\w.~+/-]{8,}/],
  ['a session’s cookie', /\brefresh(?:Token)?=[\w.-]{16,}/i],
  // As `signUp` of app.ts and `newPerson` of the journeys make them.
  ['a password', /\bsecret of \S/],
  // The descriptions and articles of their lessons: a process does not hear what it was sent.
  ['what somebody wrote', /What one learns in |\bw\d+x\d+ w\d+x\d+/],
]

/** Shorter ones are names and words that a line may hold by chance. */
const SHORTEST_TEXT = 12
/** Of the texts that were sent last. */
const MOST_TEXTS = 200

/** Judges the lines of one server against what was sent to it. */
export interface LogJudge {
  /** Texts that people send: of forms and of JSON, however deep. */
  hear(sent: unknown): void
  write(line: string): void
  /** What was found, with the lines. */
  readonly leaks: readonly string[]
}

/** A judge for one server. */
export function createLogJudge(): LogJudge {
  const texts = new Set<string>()
  const leaks: string[] = []
  const remember = (text: string) => {
    // Sentences: a name alone may stand in a line.
    if (text.length < SHORTEST_TEXT || !/\S\s+\S/.test(text)) return
    texts.add(JSON.stringify(text.slice(0, 200)).slice(1, -1))
    const [oldest] = texts
    if (texts.size > MOST_TEXTS && oldest !== undefined) texts.delete(oldest)
  }
  const hear = (sent: unknown): void => {
    if (typeof sent === 'string') remember(sent)
    else if (sent instanceof FormData) for (const [, value] of sent) hear(value)
    else if (typeof sent === 'object' && sent !== null && !(sent instanceof Blob))
      for (const value of Object.values(sent)) hear(value)
  }
  const write = (line: string) => {
    for (const [what, pattern] of SECRETS)
      if (pattern.test(line)) leaks.push(`${what}: ${line.trim()}`)
    for (const text of texts)
      if (line.includes(text)) leaks.push(`what somebody wrote: ${line.trim()}`)
  }
  return { hear, write, leaks }
}

/** Lines with this message that a test's server logged, as objects, from a place in its log on; it needs a LOG_LEVEL. */
export function loggedBy(
  { logged }: { readonly logged: readonly string[] },
  message: string,
  from = 0,
): Record<string, unknown>[] {
  return logged
    .slice(from)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === message)
}
