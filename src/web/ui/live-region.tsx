import { liveRegionId } from './announce.ts'

/** The live region for `announce`. It is part of every page: screen readers often ignore a live region that is inserted together with its text. */
export function LiveRegion() {
  return <div id={liveRegionId} className="sr-only" role="status" aria-live="polite" />
}
