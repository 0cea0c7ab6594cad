/** How many times an encoding is removed: a proxy may encode an address that is already encoded. */
const depth = 3

const percentDecoded = (text: string): string =>
  text.replace(/(%[0-9a-f]{2})+/gi, (encoded) => Buffer.from(encoded.replaceAll('%', ''), 'hex').toString())

/** Returns the text as it is, and with URL encodings removed: `%41`, `+` for a space, and multiple encodings. */
function readings(text: string): string[] {
  const found = new Set<string>()
  for (let reading of [text, text.replaceAll('+', ' ')])
    for (let n = 0; n <= depth; n++) {
      found.add(reading)
      reading = percentDecoded(reading)
    }
  return [...found]
}

/** Decodes the words of a text from Base64 and from hexadecimal. */
function decodedWords(text: string): string[] {
  const words = text.match(/[A-Za-z0-9+/_-]{4,}/g) ?? []
  return words.flatMap((word) => [
    // A slash separates parts of a path, but it is also a Base64 character. The same is true of `_` and `-`, which separate parts of a name.
    ...[word, ...word.split('/'), ...word.split(/[/_-]/)].map((part) => Buffer.from(part, 'base64').toString()),
    ...(/^([0-9a-f]{2})+$/i.test(word) ? [Buffer.from(word, 'hex').toString()] : []),
  ])
}

/**
 * Whether a text that a browser would receive, such as an address or a playlist, contains one of these secrets: as it is, URL-encoded up to three times,
 * in Base64 or hexadecimal, in upper or lower case. A short secret may be found by chance, which only means that the stream is relayed.
 */
export function containsSecret(text: string, secrets: readonly string[]): boolean {
  const wanted = secrets.filter((secret) => secret !== '').map((secret) => secret.toLowerCase())
  const has = (reading: string) => {
    const lower = reading.toLowerCase()
    return wanted.some((secret) => lower.includes(secret))
  }
  const all = readings(text)
  return all.some(has) || all.some((reading) => decodedWords(reading).some(has))
}
