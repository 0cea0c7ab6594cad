import { createContext } from 'react'
import type { Tier } from './mascot-shapes.ts'

/** Whether the mascot is shown: the setting of the brand. False removes it from every page. */
export const MascotShown = createContext(true)

/** The mascot of each plan group: the setting of the brand. */
export const PlanMascots = createContext<readonly Tier[]>([1, 2, 3, 4])
