import { type CsvColumns, csvColumns } from '#server/http/csv/csv.ts'
import type { AdminTrialRequest } from '../admin-contract.ts'
import { trialHeadings } from '../trial-headings.ts'

/** The CSV columns of a trial request, without the password. */
export const trialCsvColumns: CsvColumns<AdminTrialRequest> = csvColumns(trialHeadings, [
  'id',
  [trialHeadings.user, (request) => request.user.username],
  ['Email', (request) => request.user.email],
  'device',
  'message',
  'requestDate',
  'status',
  'responseDate',
  'trialUsername',
  'trialServer',
  'expiryDate',
  'adminNotes',
])
