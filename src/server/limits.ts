import { callLimits } from './limits/call-limits.ts'
import { paymentLimits } from './limits/payment-limits.ts'
import { requestLimits } from './limits/request-limits.ts'
import { viewingLimits } from './limits/viewing-limits.ts'
import { webhookLimits } from './limits/webhook-limits.ts'

/** All hard limits. The app does not rely on the defaults of libraries. */
export const limits = { ...requestLimits, ...callLimits, ...paymentLimits, ...viewingLimits, ...webhookLimits }
