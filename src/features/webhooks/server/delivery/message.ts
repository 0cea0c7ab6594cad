import type { Config } from '#server/config.ts'
import { noticePath, noticeText } from '../../rules.ts'

/** What a notice is about. `invoiceNumber` is that of the invoice with the id `subjectId`. */
export type Notice = { kind: string; subjectId: number | null; invoiceNumber: string | null; createdAt: string }

const urlOf = ({ publicUrl }: Pick<Config, 'publicUrl'>, { kind, subjectId, invoiceNumber }: Notice) =>
  publicUrl + noticePath(kind, subjectId, invoiceNumber)

/** The body of a signed webhook. It is the same for every attempt. It names ids only: no person, no amount and no text that a customer wrote. */
export const payloadOf = (config: Pick<Config, 'publicUrl'>, notice: Notice) => ({
  type: notice.kind,
  timestamp: notice.createdAt,
  data: { id: notice.subjectId, url: urlOf(config, notice) },
})

/** The longest message that Discord accepts; Telegram accepts more. */
const longest = 2_000
/** The text of a chat message: the kind, the id and the link. */
export function chatTextOf(config: Pick<Config, 'publicUrl'>, notice: Notice): string {
  const id = notice.subjectId === null ? '' : ` #${notice.subjectId}`
  return `${noticeText(notice.kind)}${id}\n${urlOf(config, notice)}`.slice(0, longest)
}
