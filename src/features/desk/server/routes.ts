import { implement, type Route } from '#server/http/route.ts'
import * as contract from '../admin-contract.ts'
import { countWork } from './service/count-work.ts'

export const routes: Route[] = [implement(contract.getWorkCounts, ({ db }) => countWork(db))]
