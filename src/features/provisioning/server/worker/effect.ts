import type { Transition } from '../job-store.ts'
import type { PanelCall } from './panel-call.ts'

/** The transition to store, and the call to make once it is stored. */
export type Effect = { transition: Transition; call?: PanelCall }
