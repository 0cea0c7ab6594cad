import { getCustomer } from '#features/customers/contract.ts'
import { getTrialLine } from '#features/trials/admin-contract.ts'
import { countLineDrift, getCustomerLine, getLinePanel, listLineDrift, listLineJobs } from '../admin-contract.ts'

/** Administrators' answers that change with every job. */
export const linePages = [listLineJobs.id, getLinePanel.id, getCustomerLine.id, getTrialLine.id, getCustomer.id]

/** Those that change when books and panel are compared. */
export const driftPages = [listLineDrift.id, countLineDrift.id, getLinePanel.id]
