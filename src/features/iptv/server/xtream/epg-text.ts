/** How a panel encodes the titles and descriptions of its listings. */
export type EpgEncoding = 'base64' | 'plain'

/** The total length from which texts that are all valid base64 count as base64. Shorter texts may be valid by chance, such as the title `Kids`. */
const decisiveLength = 12

/**
 * Detects how the texts of a response are encoded: base64 only if every text is valid base64, because single plain titles such as `Kids` and `Film` are valid
 * too. `isSure` is false if the response has too little text to tell; then `before` decides, the encoding of the panel's earlier responses.
 */
export function encodingOf(texts: readonly string[], before?: EpgEncoding): { encoding: EpgEncoding; isSure: boolean } {
  const present = texts.filter((text) => text !== '')
  if (present.some((text) => decoded(text) === undefined)) return { encoding: 'plain', isSure: true }
  const isSure = present.reduce((length, text) => length + text.length, 0) >= decisiveLength
  return { encoding: isSure ? 'base64' : (before ?? 'base64'), isSure }
}

/** Decodes a text of a response with this encoding. */
export const decodeText = (encoding: EpgEncoding, text: string): string =>
  encoding === 'base64' ? (decoded(text) ?? text) : text

/** Decodes strict base64; undefined if `text` is not strict base64 or the bytes are not UTF-8. */
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
