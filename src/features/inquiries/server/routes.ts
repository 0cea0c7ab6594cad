import { implement } from '#server/http.ts'
import * as contract from '../contract.ts'
import * as inquiries from './service.ts'

export const routes = [
  implement(contract.createInquiry, async ({ db, body }) => {
    await inquiries.createInquiry(db, body)
    return { message: "Thank you for your message! We'll get back to you soon." }
  }),
]
