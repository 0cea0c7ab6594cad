import * as z from 'zod/mini'

// C0 and C1 controls and bidirectional overrides: invisible, and able to disguise text.
const unsafeInLine = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/
const unsafeInText = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/

const normalized = z.overwrite<string>((value) => value.toWellFormed().normalize('NFC').trim())

/** One line of user text: NFC, trimmed, no control or direction characters. `tooShort` is the error message. */
export const singleLine = (min: number, max: number, tooShort: string) =>
  z.string(tooShort).check(
    normalized,
    z.minLength(min, tooShort),
    z.maxLength(max, `Please use at most ${max} characters`),
    z.refine((v) => !unsafeInLine.test(v), 'Please remove the control characters'),
  )

/**
 * One line of printable ASCII: NFKC converts full-width and other compatibility forms, then the text is trimmed. `tooShort` and `notAscii`
 * are the error messages.
 */
export const asciiLine = (min: number, max: number, tooShort: string, notAscii: string) =>
  z.string(tooShort).check(
    z.overwrite<string>((value) => value.toWellFormed().normalize('NFKC').trim()),
    z.minLength(min, tooShort),
    z.maxLength(max, `Please use at most ${max} characters`),
    z.regex(/^[ -~]*$/, notAscii),
  )

const allUnsafe = new RegExp(unsafeInLine, 'g')
/** Removes control and direction characters from untrusted text, such as a user agent. */
export const withoutControlCharacters = (value: string): string => value.toWellFormed().replaceAll(allUnsafe, '')

/** Multi-line user text: like `singleLine`, with line feeds allowed. */
export const paragraph = (min: number, max: number, tooShort: string) =>
  z.string(tooShort).check(
    z.overwrite<string>((value) => value.toWellFormed().normalize('NFC').replaceAll('\r\n', '\n').trim()),
    z.minLength(min, tooShort),
    z.maxLength(max, `Please use at most ${max} characters`),
    z.refine((v) => !unsafeInText.test(v), 'Please remove the control characters'),
  )

/** A path of this site: the Content-Security-Policy allows pictures and streams only from this site. */
export const ownPath = (message: string) =>
  z.string(message).check(
    z.overwrite<string>((value) => value.trim()),
    z.maxLength(300, message),
    z.regex(/^\/(?![/\\])[\w\-./~%!$&'()*+,;=:@?#]*$/, message),
  )

/** An email address of at most 254 characters; `message` is the error message. */
export const emailAddress = (message: string) =>
  z.string(message).check(
    z.overwrite<string>((value) => value.trim()),
    z.maxLength(254, message),
    z.email(message),
  )

/** The id of a row: 1 to 2^31-1. */
export const id = z.int().check(z.gte(1), z.lte(2147483647))
/** The id of a row in a path or query, parsed from text. */
export const idParam = z.coerce.number<string | number>().check(z.int(), z.gte(1), z.lte(2147483647))
/** The version of a row that the caller saw; it increases with every change. */
export const rowVersion = z.int().check(z.gte(1), z.lte(2147483647))
export const instant = z.string()
export const cents = z.int()
/** An amount in cents that the caller was shown and sends back for comparison. */
export const shownCents = z.int().check(z.gte(-2147483648), z.lte(2147483647))

/** Parses a search for an id, such as `#12`. Returns null for any other search. */
export function parseIdSearch(search: string): number | null {
  const [, digits] = /^#(\d{1,10})$/.exec(search.trim()) ?? []
  const number = Number(digits)
  return number >= 1 && number <= 2147483647 ? number : null
}

/** Whether a string is a UUID in lower case, as PostgreSQL writes it. */
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
