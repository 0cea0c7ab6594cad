// Admin endpoints of canned replies.
import * as z from 'zod/mini'
import { del, get, post, put } from '#kit/endpoint.ts'
import { id, idParam, paragraph, rowVersion, singleLine } from '#kit/text.ts'
import { messageLength } from './contract.ts'

const cannedReply = z.object({ id, name: z.string(), body: z.string(), version: rowVersion })
export type CannedReply = z.output<typeof cannedReply>
/** The maximum number of canned replies. */
export const maxCannedReplies = 200

export const listCannedReplies = get('/api/admin/canned-replies', {
  summary: 'The canned replies, sorted by name',
  access: 'admin',
  needs: 'tickets.read',
  dependsOn: ['canned_reply'],
  output: z.array(cannedReply),
})
export const cannedReplyForm = z.object({
  name: singleLine(1, 60, 'Please enter a name'),
  /** Fields such as `{name}` are filled in when the text is inserted into a reply. */
  body: paragraph(1, messageLength, 'Please enter a text'),
})
export const createCannedReply = post('/api/admin/canned-replies', {
  summary: 'Add a canned reply; audited',
  access: 'admin',
  needs: 'tickets.edit',
  limit: 'adminWrite',
  body: cannedReplyForm,
  output: cannedReply,
})
const params = z.object({ cannedReplyId: idParam })
export const updateCannedReply = put('/api/admin/canned-replies/:cannedReplyId', {
  summary: 'Change a canned reply; refused if the version is stale; audited',
  access: 'admin',
  needs: 'tickets.edit',
  limit: 'adminWrite',
  params,
  body: z.extend(cannedReplyForm, { version: rowVersion }),
  output: cannedReply,
})
export const deleteCannedReply = del('/api/admin/canned-replies/:cannedReplyId', {
  summary: 'Delete a canned reply; audited',
  access: 'admin',
  needs: 'tickets.edit',
  limit: 'adminWrite',
  params,
  query: z.object({ version: z.coerce.number<string | number>().check(z.int(), z.gte(1)) }),
  output: z.object({ deleted: z.literal(true) }),
})
