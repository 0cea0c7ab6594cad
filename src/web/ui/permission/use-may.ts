import { createContext, use } from 'react'
import type { Needs } from '#kit/permissions.ts'

/** Whether the user has what an endpoint or a page needs. Provided by the frame of the admin area; outside of it nothing is permitted. */
export const MayContext = createContext<(needs: Needs) => boolean>(() => false)

/** Decides only what pages offer: the server checks every request. */
export const useMay = (): ((needs: Needs) => boolean) => use(MayContext)
