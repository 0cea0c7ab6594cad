import { createContext } from 'react'

/** Whether the mascot is shown: the setting of the brand. False removes it from every page. */
export const MascotShown = createContext(true)
