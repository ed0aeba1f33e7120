/** Only the server and tests import the texts. Browsers load compiled ones by language. */
import bgDesk from './bg.desk.json' with { type: 'json' }
import bg from './bg.json' with { type: 'json' }
import bgServer from './bg.server.json' with { type: 'json' }
import enDesk from './en.desk.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import enServer from './en.server.json' with { type: 'json' }
import type { Locale, MessageKey } from '#contract/messages/messages.ts'

type Catalogue = Readonly<Record<MessageKey, string>>

const bulgarian = { ...bg, ...bgDesk, ...bgServer }
type Surplus = Exclude<keyof typeof bulgarian, MessageKey>

/** ICU message texts by locale. A missing or extra key in Bulgarian is a type error. */
export const catalogues: Readonly<Record<Locale, Catalogue>> = {
  en: { ...en, ...enDesk, ...enServer },
  bg: bulgarian satisfies Record<Surplus, never>,
}
