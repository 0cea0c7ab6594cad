import type { Cells } from '#server/http/csv/csv.ts'
import type { AdminInquiry } from '../admin-contract.ts'

export const inquiryCsvColumns: Cells<AdminInquiry> = {
  ID: (inquiry) => inquiry.id,
  Name: (inquiry) => inquiry.name,
  Email: (inquiry) => inquiry.email,
  Plan: (inquiry) => inquiry.planName,
  Message: (inquiry) => inquiry.message,
  Newsletter: (inquiry) => inquiry.newsletterOpt,
  Received: (inquiry) => inquiry.createdAt,
  Status: (inquiry) => inquiry.status,
  Answered: (inquiry) => inquiry.answeredAt,
  Note: (inquiry) => inquiry.adminNotes,
}
