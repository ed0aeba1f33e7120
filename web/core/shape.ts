/** What came from outside, looked at by hand: the frame of every page loads no schema library for two small shapes. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
