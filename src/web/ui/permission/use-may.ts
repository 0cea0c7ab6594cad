import { createContext, use } from 'react'
import type { Needs } from '#kit/permissions.ts'

/**
 * Returns whether the user has the permissions that an endpoint or a page needs. Provided by the frame of the admin area; outside of it, nothing is permitted.
 */
export const MayContext = createContext<(needs: Needs) => boolean>(() => false)

/** Only decides what pages offer: the server checks every request itself. */
export const useMay = (): ((needs: Needs) => boolean) => use(MayContext)
