import { isInHtml, pagePart } from '../../../ui/hydration/page-part.ts'

/** The guided setup, in a separate file, because most customers have finished it. */
export const GetWatching = pagePart(() => import('./get-watching.tsx'), 'GetWatching', isInHtml('#get-watching-title'))
