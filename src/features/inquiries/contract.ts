import * as z from 'zod/mini'
import { post } from '#kit/endpoint.ts'
import { emailAddress, id, paragraph, singleLine } from '#kit/text.ts'

export const inquiry = z.object({
  name: singleLine(2, 100, 'Name must be at least 2 characters.'),
  email: emailAddress('Please enter a valid email address.'),
  message: paragraph(10, 2000, 'Message must be at least 10 characters.'),
  planId: z.optional(z.nullable(id)),
  newsletterOpt: z._default(z.boolean(), false),
})

export const createInquiry = post('/api/inquiries', {
  summary: 'Send a message to the sales team',
  access: 'public',
  limit: 'inquiry',
  body: inquiry,
  output: z.object({ message: z.string() }),
})
