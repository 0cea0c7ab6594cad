import * as z from 'zod/mini'
import { post } from '#kit/endpoint.ts'
import { idParam, instant } from '#kit/text.ts'

export const startViewing = post('/api/admin/users/:userId/view', {
  summary: 'View the site as a customer for fifteen minutes, read-only',
  access: 'admin',
  needs: 'customers.view_as',
  sessionOnly: true,
  limit: 'adminWrite',
  params: z.object({ userId: idParam }),
  output: z.object({ until: instant }),
})
