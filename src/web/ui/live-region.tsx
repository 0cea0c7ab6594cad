import { liveRegionId } from './announce.ts'

/** Stands in the document from the first paint: a region that arrives together with its text is often not read. */
export function LiveRegion() {
  return <div id={liveRegionId} className="sr-only" role="status" aria-live="polite" />
}
