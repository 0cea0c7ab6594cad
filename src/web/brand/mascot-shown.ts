import { createContext } from 'react'
import type { Tier } from './mascot-shapes.ts'

/** Whether the mascot is shown, from the brand settings. False removes the mascot from every page. */
export const MascotShown = createContext(true)

/** The mascot of each plan group, from the brand settings. */
export const PlanMascots = createContext<readonly Tier[]>([1, 2, 3, 4])
