/** A plain text, or a time such as 2:15 with its second in the video. */
export type TextPart = string | { readonly text: string; readonly at: number }

/** Excludes parts of longer numbers, and times of day with a marker ("2:15 pm", "14:30 ч."). */
const TIME =
  /(?<![\p{L}\p{N}:.,])(?:(\d{1,2}):(?=\d\d:))?(\d{1,2}):([0-5]\d)(?![\p{L}\p{N}:]|[.,]\d|\s?(?:[ap]\.?m|ч)(?!\p{L}))/giu

/** Splits a text into parts that join to the same text. Hours go up to 99, and minutes after hours up to 59. */
export function timesIn(text: string): readonly TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const found of text.matchAll(TIME)) {
    const [whole, hours, minutes, seconds] = found
    if (hours !== undefined && Number(minutes) > 59) continue
    if (found.index > end) parts.push(text.slice(end, found.index))
    const at = Number(hours ?? 0) * 3600 + Number(minutes) * 60 + Number(seconds)
    parts.push({ text: whole, at })
    end = found.index + whole.length
  }
  if (end < text.length) parts.push(text.slice(end))
  return parts
}
