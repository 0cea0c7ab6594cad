import { adminOnly, ownerOnly, type Row, send, signedIn, uniqueText } from './access-row.ts'

/** A message that is newer than all of the ticket. */
const seen = 2147483647

/** The endpoints of tickets. The ticket is that of the owner's report. */
export const ticketRows: Record<string, Row> = {
  'GET /api/tickets': signedIn(),
  'GET /api/tickets/:ticketId': ownerOnly(),
  'POST /api/tickets/:ticketId/answers': ownerOnly(send({ body: 'It stopped again' })),
  'POST /api/ticket-pictures': signedIn({ other: 415, owner: 415, admin: 415 }),
  'GET /ticket-pictures/:pictureFile': ownerOnly(),
  'POST /api/admin/ticket-pictures': adminOnly({ admin: 415 }),
  'GET /admin/ticket-pictures/:pictureFile': adminOnly(),
  'POST /api/tickets/:ticketId/close': ownerOnly(),
  'GET /api/admin/tickets': adminOnly(),
  'GET /admin/tickets.csv': adminOnly(),
  'GET /api/admin/ticket-assignees': adminOnly(),
  'GET /api/admin/tickets/:ticketId': adminOnly(),
  'POST /api/admin/tickets/:ticketId/replies': adminOnly(send({ body: 'It works again', status: 'waiting', seen })),
  'POST /api/admin/tickets/:ticketId/notes': adminOnly(send({ body: 'The feed was replaced' })),
  'POST /api/admin/tickets/:ticketId/answers': adminOnly(send({ body: 'By phone: it works' })),
  'GET /api/admin/canned-replies': adminOnly(),
  'POST /api/admin/canned-replies': adminOnly({
    body: () => ({ name: `Reply ${uniqueText()}`, body: 'Hello {name}' }),
  }),
  'PUT /api/admin/canned-replies/:cannedReplyId': adminOnly({
    body: () => ({ name: `Reply ${uniqueText()}`, body: 'Hello', version: 99 }),
    admin: 409,
  }),
  'DELETE /api/admin/canned-replies/:cannedReplyId': adminOnly({ query: () => '?version=99', admin: 409 }),
  'GET /api/admin/report-cases': adminOnly(),
  'GET /api/admin/report-cases/:caseId': adminOnly(),
  'PUT /api/admin/report-cases/:caseId': adminOnly(send({ status: 'reviewing', version: 99 }, { admin: 409 })),
  'POST /api/admin/report-cases/:caseId/merge': adminOnly(send({ into: 2147483647 }, { admin: 404 })),
  'POST /api/admin/reports/:reportId/split': adminOnly(send(undefined, { admin: 409 })),
  'PUT /api/admin/tickets/:ticketId': adminOnly(send({ status: 'waiting', version: 99 }, { admin: 409 })),
}
