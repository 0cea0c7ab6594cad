import { exportListRoute } from '#server/http/csv/csv-export.ts'
import { implement, type Route } from '#server/http/route.ts'
import * as canned from '../admin-canned-contract.ts'
import * as admin from '../admin-contract.ts'
import * as contract from '../contract.ts'
import { addNote, recordAnswer } from './service/add-note.ts'
import { createCannedReply, deleteCannedReply, listCannedReplies, updateCannedReply } from './service/canned-replies.ts'
import { answerTicket, closeTicket, listOwnTickets, readOwnThread } from './service/own-tickets.ts'
import { readOwnPicture, readPictureForStaff } from './service/pictures/read-picture.ts'
import { uploadPicture } from './service/pictures/upload-picture.ts'
import { readThread } from './service/read-thread.ts'
import { listAllTickets, listAssignees, ticketList } from './service/read-tickets.ts'
import { replyToTicket } from './service/reply-to-ticket.ts'
import { updateTicket } from './service/update-ticket.ts'
import { ticketCsvColumns } from './ticket-csv.ts'

export const routes: Route[] = [
  implement(contract.listTickets, ({ db, user }) => listOwnTickets(db, user.id)),
  implement(contract.getTicket, ({ db, user, params }) => readOwnThread(db, user.id, params.ticketId)),
  implement(contract.answerTicket, async ({ db, user, params: { ticketId }, body, requestId }) => {
    await answerTicket(db, ticketId, body, { id: user.id, requestId })
    return readOwnThread(db, user.id, ticketId)
  }),
  implement(contract.closeTicket, async ({ db, user, params: { ticketId }, requestId }) => {
    await closeTicket(db, ticketId, { id: user.id, requestId })
    return readOwnThread(db, user.id, ticketId)
  }),
  implement(contract.uploadPicture, ({ db, user, body }) => uploadPicture(db, body, user.id)),
  implement(contract.getPicture, ({ db, user, params }) => readOwnPicture(db, params.pictureFile, user.id)),
  implement(admin.uploadStaffPicture, ({ db, user, body }) => uploadPicture(db, body, user.id)),
  implement(admin.getStaffPicture, ({ db, user, params }) => readPictureForStaff(db, params.pictureFile, user.id)),
  implement(admin.listAllTickets, ({ db, query }) => listAllTickets(db, query)),
  exportListRoute(admin.exportTickets, ticketList, ticketCsvColumns),
  implement(admin.listAssignees, ({ db }) => listAssignees(db)),
  implement(admin.getThread, ({ db, user, params }) => readThread(db, params.ticketId, user.username)),
  implement(admin.replyToTicket, async ({ db, user, params: { ticketId }, body, requestId }) => {
    await replyToTicket(db, ticketId, body, { admin: user, requestId })
    return readThread(db, ticketId, user.username)
  }),
  implement(admin.addTicketNote, async ({ db, user, params: { ticketId }, body, requestId }) => {
    await addNote(db, ticketId, body.body, { admin: user, requestId })
    return readThread(db, ticketId, user.username)
  }),
  implement(admin.recordTicketAnswer, async ({ db, user, params: { ticketId }, body, requestId }) => {
    await recordAnswer(db, ticketId, body.body, { admin: user, requestId })
    return readThread(db, ticketId, user.username)
  }),
  implement(admin.updateTicket, ({ db, user, params, body, requestId }) =>
    updateTicket(db, params.ticketId, body, { admin: user, requestId }),
  ),
  implement(canned.listCannedReplies, ({ db }) => listCannedReplies(db)),
  implement(canned.createCannedReply, ({ db, user, body, requestId }) =>
    createCannedReply(db, body, { admin: user, requestId }),
  ),
  implement(canned.updateCannedReply, ({ db, user, params, body, requestId }) =>
    updateCannedReply(db, params.cannedReplyId, body, { admin: user, requestId }),
  ),
  implement(canned.deleteCannedReply, ({ db, user, params, query, requestId }) =>
    deleteCannedReply(db, params.cannedReplyId, query.version, { admin: user, requestId }),
  ),
]
