import { getCustomer } from '#features/customers/admin-contract.ts'
import { getTrialLine } from '#features/trials/admin-contract.ts'
import { getCustomerLine, getPanelStatus, listLineJobs } from '../admin-contract.ts'
import { countRepairableDrift, listLineDrift } from '../admin-drift-contract.ts'

/** The administrators' endpoints whose answers change with every job. */
export const jobEndpoints = [listLineJobs.id, getPanelStatus.id, getCustomerLine.id, getTrialLine.id, getCustomer.id]

/** The administrators' endpoints whose answers change with a comparison. */
export const driftEndpoints = [listLineDrift.id, countRepairableDrift.id, getPanelStatus.id]
