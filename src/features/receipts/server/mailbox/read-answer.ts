import { createHash } from 'node:crypto'
import PostalMime from 'postal-mime'
import type { EmailedPicture } from '#features/tickets/server/service/pictures/encode-emailed-pictures.ts'
import { withoutControlCharacters } from '#kit/text.ts'
import { limits } from '#server/limits.ts'
import { detectPicture } from '#server/outbound/detect-picture.ts'
import { yieldToEventLoop } from '#server/overload/yield-to-event-loop.ts'
import { readDocument, UnreadableMail } from '../read/mail/document.ts'

/**
 * A parsed reply. `body` is its text without quotes, `text` the full text, `mailed` its pictures. `refused` has a text for each other attachment, to be shown
 * instead of it.
 */
export type ReadAnswer = {
  from: string
  name: string
  subject: string
  body: string
  text: string
  refused: string[]
  mailed: EmailedPicture[]
  sourceKey: string
  isAutomatic: boolean
}

const attachmentsShown = 10
const subjectLength = 200

/** Parses a reply to a ticket. The limits are those of payment emails, except that it may be larger. Throws `UnreadableMail` if a limit is exceeded. */
export async function readAnswer(raw: Uint8Array): Promise<ReadAnswer> {
  // Refuses emails that are too large, too deep or damaged.
  const document = await readDocument(raw, limits.mailbox.answerBytes)
  await yieldToEventLoop()
  const mail = await PostalMime.parse(raw, { maxNestingDepth: 5, maxHeadersSize: 256_000 }).catch(() => {
    throw new UnreadableMail('not_a_mail')
  })
  const text = mail.text?.trim() ? mail.text : document.lines.join('\n')
  const headerOf = (name: string) => mail.headers.find(({ key }) => key === name)?.value ?? ''
  const attached = mail.attachments
    // Phones send photos inline, so these are accepted. Inline files that the HTML part refers to are left out, because they are mostly signature logos.
    .filter(({ disposition, related, content }) => disposition !== 'inline' || (!related && isPicture(content)))
    .slice(0, attachmentsShown)
    .map(({ filename, content }) => ({ name: shortName(filename || 'A file'), content }))
  return {
    from: document.fromAddress,
    name: withoutControlCharacters((mail.from?.name ?? '').toWellFormed().normalize('NFC')).trim(),
    subject: withoutControlCharacters(document.subject.toWellFormed().normalize('NFC')).slice(0, subjectLength),
    text: cleaned(text).trim(),
    body: withoutQuote(cleaned(text)) || cleaned(text).trim() || '(no text)',
    refused: attached.filter(({ content }) => !isPicture(content)).map(({ name }) => refusalOf(name)),
    mailed: attached
      .filter(({ content }) => isPicture(content))
      .map(({ name, content }) => ({ name, bytes: bytesOf(content) })),
    sourceKey: createHash('sha256')
      .update(mail.messageId || raw)
      .digest('hex'),
    // Automatic replies are detected because an out-of-office notice must not reopen a ticket, and two auto-responders must not form a loop.
    isAutomatic:
      !/^(no)?$/i.test(headerOf('auto-submitted').trim()) ||
      /^(bulk|junk|list|auto_reply)$/i.test(headerOf('precedence').trim()) ||
      headerOf('x-autoreply') !== '',
  }
}

type Content = ArrayBuffer | Uint8Array | string
const bytesOf = (content: Content): Buffer =>
  typeof content === 'string' ? Buffer.from(content) : Buffer.from(content as ArrayBuffer)
const isPicture = (content: Content): boolean => detectPicture(bytesOf(content)) !== undefined

/** Returns the text that is shown instead of an attachment with this name. */
export const refusalOf = (name: string): string => `${name} was not accepted: please describe it in your answer`

/** Cuts a name to 100 characters. It is split into code points, because half of a surrogate pair could not be stored. */
const shortName = (name: string): string => [...withoutControlCharacters(name.toWellFormed())].slice(0, 100).join('')

const cleaned = (text: string): string =>
  text.toWellFormed().normalize('NFC').replaceAll(/\r\n?/g, '\n').split('\n').map(withoutControlCharacters).join('\n')

const quoteBegins = [
  /^on .{5,200} wrote:$/i,
  /^-{2,}\s*original message\s*-{2,}$/i,
  /^_{10,}$/,
  /^from: .+@.+$/i,
  /^>+ ?/,
]
/**
 * Returns the lines before the quoted email. The line that introduces the quote may be wrapped onto two lines. A text with answers between or below quoted
 * lines is returned unchanged.
 */
export function withoutQuote(text: string): string {
  const lines = text.split('\n').map((line) => line.trimEnd())
  const begin = lines.findIndex(
    (line, at) =>
      quoteBegins.some((pattern) => pattern.test(line.trim())) ||
      (/^on .{5,}/i.test(line.trim()) && /wrote:$/i.test((lines[at + 1] ?? '').trim())),
  )
  const quote = begin < 0 ? [] : lines.slice(begin)
  const firstQuoted = quote.findIndex(isQuoted)
  const isAnsweredWithin = firstQuoted >= 0 && quote.slice(firstQuoted).some((line) => line !== '' && !isQuoted(line))
  return (begin < 0 || isAnsweredWithin ? lines : lines.slice(0, begin)).join('\n').trim()
}

const isQuoted = (line: string): boolean => /^\s*>/.test(line)
