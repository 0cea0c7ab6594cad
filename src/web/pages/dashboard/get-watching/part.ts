import { lazyRouteComponent } from '@tanstack/react-router'

/** The guided setup, in a file of its own: most customers are past it. */
export const GetWatching = lazyRouteComponent(() => import('./get-watching.tsx'), 'GetWatching')
