import { lazyRouteComponent } from '@tanstack/react-router'

/** The guided setup, in a separate file, because most customers have finished it. */
export const GetWatching = lazyRouteComponent(() => import('./get-watching.tsx'), 'GetWatching')
