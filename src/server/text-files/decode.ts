import { analyse } from 'chardet'

/**
 * Decodes a text file. The encoding comes from the first of these that applies: a byte order mark, zero bytes as in UTF-16, valid UTF-8, a declaration in the
 * file, a guess. Line endings become `\n`.
 */
export function decodeText(bytes: Uint8Array): string {
  return text(bytes)
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
}

function text(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const wide = wideEncoding(bytes)
  if (wide) return new TextDecoder(wide).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder(declaredEncoding(bytes) ?? guessedEncoding(bytes)).decode(bytes)
  }
}

/** Detects UTF-16 without a byte order mark, in which about every other byte at the beginning is zero. Null if the file is not UTF-16. */
function wideEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const head = bytes.subarray(0, 200)
  const zeros = [0, 1].map((start) => head.filter((byte, at) => at % 2 === start && byte === 0).length)
  if (head.length < 8) return null
  if (zeros[1]! > head.length / 4 && zeros[0] === 0) return 'utf-16le'
  return zeros[0]! > head.length / 4 && zeros[1] === 0 ? 'utf-16be' : null
}

/** Returns the encoding that an XML declaration or an OFX header names; null if there is none, or if it is UTF-8, which was already tried. */
function declaredEncoding(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, 600)).toString('latin1')
  const named = /<\?xml[^>]*encoding=["']([\w.-]+)["']/i.exec(head)?.[1] ?? /^CHARSET: *([\w.-]+)/im.exec(head)?.[1]
  if (!named || /^(utf-?8|none|unicode)$/i.test(named)) return null
  const label = /^\d{4}$/.test(named) ? `windows-${named}` : named
  try {
    return new TextDecoder(label).encoding
  } catch {
    return null
  }
}

/** Guesses the encoding from the bytes. Returns windows-1252 (Western European) unless another encoding is likely. */
function guessedEncoding(bytes: Uint8Array): string {
  const [best] = analyse(bytes.subarray(0, 64_000))
  if (!best || best.confidence < 60 || /^(ISO-8859-[19]|windows-125[24]|UTF-8|ASCII)/i.test(best.name))
    return 'windows-1252'
  try {
    return new TextDecoder(best.name).encoding
  } catch {
    return 'windows-1252'
  }
}
