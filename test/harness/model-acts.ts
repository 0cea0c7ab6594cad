import { accountActs } from './model-account-acts.ts'
import type { Action } from './model-act.ts'
import { invoiceActs } from './model-invoice-acts.ts'

/** Every act that changes what a customer or the operator owns. */
export const acts: Record<string, Action> = { ...invoiceActs, ...accountActs }
