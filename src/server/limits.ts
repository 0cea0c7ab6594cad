import { callLimits } from './limits/call-limits.ts'
import { paymentLimits } from './limits/payment-limits.ts'
import { requestLimits } from './limits/request-limits.ts'
import { viewingLimits } from './limits/viewing-limits.ts'
import { webhookLimits } from './limits/webhook-limits.ts'

/** All hard limits. No library default is relied on. */
export const limits = { ...requestLimits, ...callLimits, ...paymentLimits, ...viewingLimits, ...webhookLimits }
