/** Six characters of a note that may be an invoice number. `isMarked` is true if `ORD` and a separator precede them. */
export type TypedNumber = { six: string; isMarked: boolean }
export type NoteReading = { numbers: TypedNumber[]; wordPairs: string[] }

const separator = String.raw`[\s\p{Pd}\u2212:.#_]`
const boundary = { before: String.raw`(?<![\p{L}\p{N}])`, after: String.raw`(?![\p{L}\p{N}])` }

/** Normalizes a note: without invisible characters, NFKC and in upper case. */
const plainNote = (note: string): string =>
  note
    .slice(0, 500)
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Mn}]/gu, '')
    .toUpperCase()

/** Returns the words of the prefix as a regular expression: `SAUCE` for `SAUCE: `. Empty if the prefix has no words. */
const prefixPattern = (prefix: string): string =>
  (plainNote(prefix).match(/[\p{L}\p{N}]+/gu) ?? []).join(`${separator}*`)

/** Returns a regular expression for a number after `ORD` or after the words of the prefix. */
function numberPattern(prefix: string): RegExp {
  const words = prefixPattern(prefix)
  const afterOrd = `(?:${words ? `(?:${words})${separator}{0,5}` : ''})?ORD(?<gap>${separator}{0,5})(?<six>[A-Z0-9]{6})`
  const afterPrefix = words ? `(?:${words})${separator}{0,5}(?<bare>[A-Z0-9]{6})` : '(?!)'
  return new RegExp(`${boundary.before}(?:${afterOrd}|${afterPrefix})${boundary.after}`, 'gu')
}

// Cached, because an installation has only one prefix.
let lastPattern: { prefix: string; pattern: RegExp } | undefined

/**
 * Reads what a payer wrote. A number must not be part of a longer word, and must follow `ORD` or the words of the note prefix, with any separators between
 * them. `wordPairs` are neighboring words in lower case, to be looked up as phrases.
 */
export function readNote(note: string | null, prefix: string): NoteReading {
  if (!note) return { numbers: [], wordPairs: [] }
  const text = plainNote(note)
  if (lastPattern?.prefix !== prefix) lastPattern = { prefix, pattern: numberPattern(prefix) }
  const numbers = new Map<string, TypedNumber>()
  for (const { groups } of text.matchAll(lastPattern.pattern)) {
    const six = groups?.six ?? groups?.bare ?? ''
    const isMarked = Boolean(groups?.gap) || numbers.get(six)?.isMarked === true
    numbers.set(six, { six, isMarked })
  }
  const all = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const pairs = all.slice(1).map((word, index) => `${all[index]} ${word}`)
  return { numbers: [...numbers.values()], wordPairs: [...new Set(pairs)] }
}
