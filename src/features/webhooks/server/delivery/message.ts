import type { Config } from '#server/config.ts'
import { noticePath, noticeText } from '../../rules.ts'

/** A notice and its subject. `invoiceNumber` is the number of the invoice with the id `subjectId`; null for other kinds. */
export type Notice = { kind: string; subjectId: number | null; invoiceNumber: string | null; createdAt: string }

const urlOf = ({ publicUrl }: Pick<Config, 'publicUrl'>, { kind, subjectId, invoiceNumber }: Notice) =>
  publicUrl + noticePath(kind, subjectId, invoiceNumber)

/**
 * Returns the body of a signed webhook message, which is the same for every attempt. The body contains an id and a link, but no person, no amount and
 * no text from a customer.
 */
export const payloadOf = (config: Pick<Config, 'publicUrl'>, notice: Notice) => ({
  type: notice.kind,
  timestamp: notice.createdAt,
  data: { id: notice.subjectId, url: urlOf(config, notice) },
})

/** The maximum length of a Discord message. Telegram accepts longer ones. */
const maxTextLength = 2_000
/** Returns the text of a chat message: the kind, the id and the link. */
export function chatTextOf(config: Pick<Config, 'publicUrl'>, notice: Notice): string {
  const id = notice.subjectId === null ? '' : ` #${notice.subjectId}`
  return `${noticeText(notice.kind)}${id}\n${urlOf(config, notice)}`.slice(0, maxTextLength)
}
