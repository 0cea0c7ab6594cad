import { implement } from '#server/http.ts'
import * as contract from '../contract.ts'
import { listActiveVisitors } from './service/list-active-visitors.ts'

export const routes = [implement(contract.listActiveVisitors, (house) => listActiveVisitors(house))]
