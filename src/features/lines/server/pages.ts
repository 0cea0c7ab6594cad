import { getCustomer } from '#features/customers/contract.ts'
import { getCustomerLine, getLinePanel, listLineJobs } from '../admin-contract.ts'

/** Administrators' answers that change with every job. */
export const linePages = [listLineJobs.id, getLinePanel.id, getCustomerLine.id, getCustomer.id]
