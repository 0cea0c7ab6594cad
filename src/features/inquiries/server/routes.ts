import { exportListRoute } from '#server/http/csv/csv-export.ts'
import { implement } from '#server/http/route.ts'
import { userOfToken } from '#server/session/session.ts'
import * as admin from '../admin-contract.ts'
import * as contract from '../contract.ts'
import { inquiryCsvColumns } from './inquiry-csv.ts'
import { createInquiry } from './service/create-inquiry.ts'
import { inquiryList, listInquiries } from './service/read-inquiries.ts'
import { updateInquiry } from './service/update-inquiry.ts'

export const routes = [
  implement(contract.createInquiry, async ({ db, body, caller }) => {
    const sender = await userOfToken({ db }, caller.sessionToken)
    await createInquiry(db, { ...body, userId: sender?.id ?? null })
    return { message: "Thank you for your message! We'll get back to you soon." }
  }),
  implement(admin.listInquiries, ({ db, query }) => listInquiries(db, query)),
  exportListRoute(admin.exportInquiries, inquiryList, inquiryCsvColumns),
  implement(admin.updateInquiry, ({ db, user, params, body, requestId }) =>
    updateInquiry(db, params.inquiryId, body, { admin: user, requestId }),
  ),
]
