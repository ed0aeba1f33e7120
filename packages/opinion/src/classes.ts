/**
 * Small closed classes of words that determine the target and polarity of an opinion: addressees, negations,
 * questions. `*` ends a stem. Opinion words themselves are in the lexicon (see training/).
 */

/** One letter per class. */
const LISTS: Readonly<Record<string, string>> = {
  /** The reader. */
  Y: `you your yours yourself youre youve youll youd u ur ya yall yer thou
    ти теб тебе твоя твой твоят твоето твоите твои твоя вие вас вам ваш ваша вашата вашият вашия вашето вашите ваши си сте ви те бе ве ей`,
  /** The writer. */
  M: `i im ive id ill me my mine myself we our us ours аз мен мене мой моя моят моето моите мои ми ме съм бях ние нас наш нашия нашата нашите сме бяхме`,
  /** Other people. */
  H: `author* teacher* instructor* guy guys dude man bro woman lady girl boy kid kids he she him her his they them their people person someone whoever who everyone everybody commenter* reader* mother mom mum mama
    автор* учител* преподавател* лектор* човек човека хора хората той тя го него нея тях майка майко баща жена мъж момче момиче момичета всички някой който която които тоя тоз тая ония оня онзи тези тия ония читател* коментира* даскал* господин* госпож* пич пичове брат братле`,
  /** The lesson and its parts. */
  T: `lesson* video* course* explanation* explain* sound audio music voice volume mic microphone code recipe* tutorial* part picture* image* photo* quality text* chapter* example* slide* diagram* exercise* quiz* price* point* speed pace intro* subtitle* camera light* font* step* content material* topic* title* thumbnail* page* link* download* site website
    урок* видео* клип* курс* обяснен* обясня* звук* аудио музик* глас* микрофон* код кода кодът рецепт* част* картин* снимк* качеств* текст* глав* пример* слайд* диаграм* упражнен* тест* цена* цени* цената точк* темпо* скорост* начал* надпис* субтитр* камер* светлин* шрифт* стъпк* съдържан* материал* тема* темата заглав* страниц* линк* сайт*`,
  /** Negations. */
  N: `not no never nothing none nobody neither nor without cant cannot dont doesnt didnt isnt arent wasnt werent wont wouldnt couldnt shouldnt hasnt havent hadnt aint hardly barely zero nope
    не няма нямам нямаше никога нищо никой никак нито без нямат липсва едва никакв* никаква нула`,
  /** Intensifiers. */
  I: `very so really too such extremely absolutely totally completely super how way much most ever even just pretty quite more
    много толкова наистина прекалено твърде изключително абсолютно напълно тотално супер доста колко най по страшно безкрайно ужасно направо съвсем още повече`,
  /** Contrasts. */
  B: `but however although though except unfortunately sadly yet instead still otherwise if
    но обаче ама макар освен за съжаление иначе вместо ако само жалко`,
  /** Question words. */
  Q: `what why when where which whose whats wheres hows does do did can could would is are anyone anybody
    какво каква какъв какви защо кога къде коя кое кои дали ли може нали откъде докога колко как`,
  /** Wishes and demands. */
  F: `should need needs please want wish hope could must better
    трябва моля искам дано бих хубаво добре може нека`,
  /** Imperatives. */
  S: `go get shut stop leave quit delete uninstall learn buy click subscribe check visit dm follow
    млъкни млъквай затваряй махай махни бягай спри върви ходи марш изчезвай купи купете пиши пишете кликни влез абонирай*`,
  /** Wasted time or money. */
  V: `waste* wasted minutes hours hour minute time money refund points life
    загуб* губ* минути минута часа час време времето пари парите точки точките живот живота върнете връщ*`,
  /** Demonstratives, as in "what a", "such a", "какъв". */
  D: `this that these those it its the a an това тази този тези то тоя тая`,
}

const words = new Map<string, string>()
const stems = new Map<string, string>()
for (const [sign, list] of Object.entries(LISTS)) {
  for (const entry of list.split(/\s+/u)) {
    if (entry.endsWith('*')) stems.set(entry.slice(0, -1), sign)
    else if (entry !== '') words.set(entry, (words.get(entry) ?? '') + sign)
  }
}

const LONGEST_STEM = Math.max(...[...stems.keys()].map((stem) => stem.length))

/** Returns the letters of a word's classes, or ''. */
export function classesOf(form: string): string {
  const whole = words.get(form)
  if (whole !== undefined) return whole
  for (let length = Math.min(form.length, LONGEST_STEM); length >= 3; length -= 1) {
    const sign = stems.get(form.slice(0, length))
    if (sign !== undefined) return sign
  }
  return ''
}
