import type { Cells } from '#server/http/csv/csv.ts'
import type { AdminTrialRequest } from '../admin-contract.ts'

/** The CSV columns of a trial request, without the password. */
export const trialCsvColumns: Cells<AdminTrialRequest> = {
  ID: (request) => request.id,
  User: (request) => request.user.username,
  Email: (request) => request.user.email,
  Device: (request) => request.device,
  Message: (request) => request.message,
  Date: (request) => request.requestDate,
  Status: (request) => request.status,
  'Response Date': (request) => request.responseDate,
  'Trial Username': (request) => request.trialUsername,
  'Trial Server': (request) => request.trialServer,
  'Expiry Date': (request) => request.expiryDate,
  'Admin Notes': (request) => request.adminNotes,
}
