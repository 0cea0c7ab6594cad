import { implement, type Route } from '#server/http/route.ts'
import * as contract from '../admin-contract.ts'
import { getCustomer } from './service/get-customer.ts'

export const routes: Route[] = [implement(contract.getCustomer, ({ db, params }) => getCustomer(db, params.userId))]
