import { adminOnly, type Row, signedIn } from './access-row.ts'

/** Imports of customers and of their earlier invoices. */
export const importRows: Record<string, Row> = {
  'GET /api/admin/imports': adminOnly(),
  // The body of these tests is JSON, which is refused after the access check.
  'POST /api/admin/imports': adminOnly({ query: () => '?name=a.csv', admin: 415 }),
  'GET /api/admin/imports/:runId': adminOnly(),
  'GET /api/admin/imports/:runId/rows': adminOnly(),
  'POST /api/admin/imports/:runId/apply': adminOnly(),
  'POST /api/admin/imports/:runId/email': adminOnly({ admin: 409 }),
  'POST /api/admin/imports/:runId/undo': adminOnly({ admin: 409 }),
  'POST /api/admin/imports/:runId/remove': adminOnly(),
  'GET /api/earlier-invoices': signedIn(),
  'GET /api/admin/users/:userId/earlier-invoices': adminOnly(),
}
