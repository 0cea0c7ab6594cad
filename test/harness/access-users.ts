import { adminOnly, type Row, send, uniqueText } from './access-row.ts'

/** The endpoints of users and visitors for administrators. */
export const userAdminRows: Record<string, Row> = {
  'GET /api/admin/users': adminOnly(),
  'POST /api/admin/users': adminOnly({
    body: () => ({ username: `new-${uniqueText()}`, email: `new-${uniqueText()}@example.org` }),
  }),
  'GET /admin/users.csv': adminOnly(),
  'GET /api/admin/users/:userId': adminOnly(),
  'GET /api/admin/users/:userId/timeline': adminOnly(),
  'PUT /api/admin/users/:userId/role': adminOnly(send({ role: 'admin' })),
  'PUT /api/admin/users/:userId/reset-password': adminOnly(send({ newPassword: 'another horse' })),
  'PUT /api/admin/users/:userId/subscription': adminOnly(send({ planId: null, status: 'none' })),
  'POST /api/admin/users/:userId/subscription/preview': adminOnly(send({ planId: null, status: 'none' })),
  'GET /api/admin/users/:userId/subscription/undo-preview': adminOnly({
    query: ({ pathParams }) => `?activationId=${pathParams.editId}`,
  }),
  'POST /api/admin/users/:userId/subscription/undo': adminOnly({
    body: ({ pathParams }) => ({ activationId: Number(pathParams.editId) }),
  }),
  'POST /api/admin/users/:userId/notes': adminOnly(send({ note: 'Called about two homes' })),
  'POST /api/admin/users/:userId/credit': adminOnly(send({ amount: 100, reason: 'A present' })),
  'POST /api/admin/users/:userId/reset-two-factor': adminOnly({ admin: 409 }),
  'POST /api/admin/users/:userId/view': adminOnly(),
  'GET /api/admin/users/:userId/line': adminOnly(),
  'GET /api/admin/users/:userId/orders/quote': adminOnly({ query: ({ plans: [sold] }) => `?planId=${sold!.id}` }),
  'POST /api/admin/users/:userId/orders': adminOnly({
    body: ({ plans: [sold] }) => ({ planId: sold!.id, expectedAmount: 0 }),
    admin: 409,
  }),
  'GET /api/admin/active-visitors': adminOnly(),
  'GET /api/admin/active-visitors/count': adminOnly(),
  'GET /admin/visitors.csv': adminOnly(),
}
