import * as z from 'zod/mini'
import { post } from '#kit/endpoint.ts'
import { idParam } from '#kit/text.ts'

export const resetTwoFactor = post('/api/admin/users/:userId/reset-two-factor', {
  summary: "Turn off a user's two-step verification; their sessions end",
  access: 'admin',
  needs: 'customers.access',
  sessionOnly: true,
  limit: 'adminWrite',
  params: z.object({ userId: idParam }),
  output: z.object({ message: z.string() }),
})
