/** How a panel sends the titles and descriptions of its listings. */
export type EpgCoding = 'base64' | 'plain'

/** Shorter texts may be base64 by chance, such as the title `Kids`. */
const decisiveLength = 12

/**
 * How the texts of one answer are encoded: base64 only if every text of it is, because plain titles such as `Kids` and `Film` are valid base64 too.
 * `isSure` is false if the answer has too little text to tell; then `before` decides, which is how the panel sent earlier answers.
 */
export function codingOf(texts: readonly string[], before?: EpgCoding): { coding: EpgCoding; isSure: boolean } {
  const present = texts.filter((text) => text !== '')
  if (present.some((text) => decoded(text) === undefined)) return { coding: 'plain', isSure: true }
  const isSure = present.reduce((length, text) => length + text.length, 0) >= decisiveLength
  return { coding: isSure ? 'base64' : (before ?? 'base64'), isSure }
}

/** The text of an answer in this coding. */
export const textIn = (coding: EpgCoding, text: string): string =>
  coding === 'base64' ? (decoded(text) ?? text) : text

/** The UTF-8 text that is encoded; undefined if this is not strict base64 of UTF-8. */
function decoded(text: string): string | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') !== text) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
