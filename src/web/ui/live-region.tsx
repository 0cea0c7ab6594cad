import { liveRegionId } from './announce.ts'

/** Rendered with the document: screen readers often ignore a live region that is inserted together with its text. */
export function LiveRegion() {
  return <div id={liveRegionId} className="sr-only" role="status" aria-live="polite" />
}
