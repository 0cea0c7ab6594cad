import { implement, type Route } from '#server/http/route.ts'
import * as contract from '../admin-contract.ts'
import * as timeline from '../admin-timeline-contract.ts'
import { addNote } from './service/add-note.ts'
import { getCustomer } from './service/get-customer.ts'
import { readTimeline } from './timeline/read-timeline.ts'

export const routes: Route[] = [
  implement(contract.getCustomer, ({ db, user, params }) => getCustomer(db, params.userId, user)),
  implement(contract.addCustomerNote, ({ db, user, params, body, requestId }) =>
    addNote(db, params.userId, body.note, { admin: user, requestId }),
  ),
  implement(timeline.getTimeline, ({ db, user, params, query }) => readTimeline(db, params.userId, query, user)),
]
