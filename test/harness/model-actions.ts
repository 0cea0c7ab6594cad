import { accountActions } from './model-account-actions.ts'
import type { Action } from './model-action.ts'
import { invoiceActions } from './model-invoice-actions.ts'

/** Every act that changes what a customer or the operator owns. */
export const modelActions: Record<string, Action> = { ...invoiceActions, ...accountActions }
