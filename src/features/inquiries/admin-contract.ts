// Admin endpoints of inquiries.
import * as z from 'zod/mini'
import { get, put } from '#kit/endpoint.ts'
import { csvOf, listQuery } from '#kit/lists.ts'
import { id, idParam, instant, paragraph, rowVersion } from '#kit/text.ts'

export const inquiryStatus = z.enum(['open', 'answered'])
export type InquiryStatus = z.output<typeof inquiryStatus>

export const adminInquiry = z.object({
  id,
  name: z.string(),
  email: z.string(),
  planName: z.nullable(z.string()),
  message: z.string(),
  newsletterOpt: z.boolean(),
  createdAt: instant,
  status: inquiryStatus,
  adminNotes: z.nullable(z.string()),
  answeredAt: z.nullable(instant),
  version: rowVersion,
})
export type AdminInquiry = z.output<typeof adminInquiry>

export const inquirySorts = ['createdAt', 'status'] as const
export const inquiryListQuery = listQuery(inquirySorts, { status: z.optional(inquiryStatus) })
export const listInquiries = get('/api/admin/inquiries', {
  summary: 'Visitor inquiries, newest first',
  access: 'admin',
  needs: 'inquiries.read',
  dependsOn: ['inquiry'],
  paged: true,
  query: inquiryListQuery,
  output: z.array(adminInquiry),
})
export const exportInquiries = csvOf('/admin/inquiries.csv', {
  needs: 'inquiries.read',
  summary: 'Visitor inquiries as CSV',
  query: inquiryListQuery,
})

export const inquiryDecision = z.object({
  status: inquiryStatus,
  /** Visible to administrators only. Unchanged if missing; cleared if empty or null. */
  adminNotes: z.optional(z.nullable(paragraph(0, 2000, ''))),
  /** The version that the dialog showed; a stale version is refused. */
  version: z.optional(rowVersion),
})
export const updateInquiry = put('/api/admin/inquiries/:inquiryId', {
  summary: 'Set the status and the note of an inquiry',
  access: 'admin',
  needs: 'inquiries.edit',
  limit: 'adminWrite',
  params: z.object({ inquiryId: idParam }),
  body: inquiryDecision,
  output: adminInquiry,
})
